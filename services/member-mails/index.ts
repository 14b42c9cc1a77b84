export { alertTypesOf } from "./alert-topics.ts";
export { listTeamMailChoices, readMailChoices, setMailChoices } from "./choices.ts";
export { type Frequency, type MailChoices, MailChoicesObject, SetMailChoices, type Topic } from "./contract.ts";
export { noteAlertsForMails } from "./note-alerts.ts";
export { noteDaysForMails, notePaymentsForMails } from "./note-payments.ts";
export { purgeOldMailItems } from "./purge.ts";
export { queueMemberMails } from "./queue-member-mails.ts";
