export { LINK_WORKS_FOR_MS } from "./mail.ts";
export { purgeOldMails } from "./purge-mails.ts";
export { queueMail, wasQueued } from "./queue-mail.ts";
export { sendDueMails } from "./send-due-mails.ts";
