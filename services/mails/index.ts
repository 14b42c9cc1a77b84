export { listWaitingMails } from "./list-waiting-mails.ts";
export {
  type ColleagueChange,
  LINK_WORKS_FOR_MS,
  type NewsWords,
  type SecondFactorChange,
  type SummaryWords,
  type TeamAct,
} from "./mail.ts";
export { purgeOldMails } from "./purge-mails.ts";
export { countQueued, queueMail } from "./queue-mail.ts";
export { sendDueMails } from "./send-due-mails.ts";
