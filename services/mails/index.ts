export { purgeOldMails } from "./purge-mails.ts";
export { queueMail, wasQueued } from "./queue-mail.ts";
export { sendDueMails } from "./send-due-mails.ts";
