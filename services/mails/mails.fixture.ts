import { randomUUID } from "node:crypto";
import { sql, transaction } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { naira } from "#lib/money.ts";
import { open } from "#lib/sealed.ts";
import { systemContext } from "../context.ts";
import { MailBody, type MailKind, type MailWords } from "./mail.ts";
import { queueMail } from "./queue-mail.ts";

/** The end of every link of these mails, by which a test finds them in a text. */
export const TOKEN = "tokenThatNobodyMayRead";
export const linkTo = (path: string): string => `${settings().DASHBOARD_URL}/${path}?token=${TOKEN}&next=%2Fhome`;

/** Returns words for each kind, from a person with a name. */
export const wordsOf = (name: string): MailWords => ({
  verify_email: { name, link: linkTo("verify") },
  reset_password: { name, link: linkTo("reset") },
  email_taken: { name, signInLink: linkTo("sign-in"), resetLink: linkTo("forgot") },
  password_changed: { name, notMeLink: linkTo("not-me") },
  new_device: {
    name,
    address: "102.89.23.4",
    browser: "Chrome on Android",
    at: new Date("2026-11-21T13:32:00Z"),
    sessionsLink: linkTo("sessions"),
  },
  second_factor_changed: { name, change: "totp_off", at: new Date("2026-11-21T13:32:00Z"), notMeLink: linkTo("not-me") },
  first_factor_code: { name, code: "0412 7735", securityLink: linkTo("security") },
  remove_factors: { name, link: linkTo("remove-second-step") },
  colleague_changed: {
    ...{ name, business: "Bola's Fabrics", colleague: "Chidi Eze", change: "password_reset", acts: [] },
    ...{ at: new Date("2026-11-21T13:32:00Z"), teamLink: linkTo("team") },
  },
  invitation: { name, business: "Bola's Fabrics", role: "admin", link: linkTo("invitations") },
  bank_account_added: {
    ...{ name, business: "Bola's Fabrics", bankName: "Harbour Bank", number: "4417", accountName: "BOLAS FABRICS LTD" },
    ...{ usableAt: new Date("2026-11-22T13:32:00Z"), removeLink: linkTo("not-our-account") },
  },
  refund_account_needed: {
    ...{ name, business: "Bola's Fabrics", orderNo: "01KAJ5T3Q0V8", amount: naira(5_000), isTest: false },
    ...{ expiresAt: new Date("2026-11-24T13:32:00Z"), link: linkTo("refund-account") },
  },
  news: {
    ...{ name, business: "Bola's Fabrics", title: "A card is blocked", detail: "Its issuer contradicts itself.", quote: null },
    ...{ at: new Date("2026-11-21T13:32:00Z"), link: linkTo("cards"), choicesLink: linkTo("alerts") },
  },
  summary: {
    ...{ name, business: "Bola's Fabrics", payments: "2 payments, ₦7,000.00 together", more: 3 },
    lines: [{ title: "A card is blocked", detail: "Its issuer contradicts itself.", at: new Date("2026-11-21T13:32:00Z") }],
    ...{ link: linkTo("home"), choicesLink: linkTo("alerts") },
  },
});

export const KINDS: MailKind[] = [
  "verify_email",
  "reset_password",
  "email_taken",
  "password_changed",
  "new_device",
  "second_factor_changed",
  "first_factor_code",
  "remove_factors",
  "colleague_changed",
  "invitation",
  "bank_account_added",
  "refund_account_needed",
  "news",
  "summary",
];

export interface QueuedMail {
  id: string;
  to: string;
}

/** Queues a mail to an address of its own. */
export async function aMail(kind: MailKind = "verify_email"): Promise<QueuedMail> {
  const to = `ada.${randomUUID()}@people.example`;
  return { id: await transaction((tx) => queueMail(tx, systemContext("test"), { to, kind, words: wordsOf("Ada Obi")[kind] })), to };
}

interface MailRow {
  attempts: number;
  isWaiting: boolean;
  isSent: boolean;
  isFailed: boolean;
  hasBody: boolean;
  lastError: string | null;
  /** Seconds until the next attempt. */
  waitS: number | null;
}

export async function rowOf({ id }: QueuedMail): Promise<MailRow | undefined> {
  const [row] = await sql()<MailRow[]>`
    select attempts, next_attempt_at is not null as "isWaiting", sent_at is not null as "isSent", failed_at is not null as "isFailed",
      sealed_body is not null as "hasBody", last_error as "lastError", extract(epoch from next_attempt_at - now())::float8 as "waitS"
    from mails where id = ${id}`;
  return row;
}

/** Returns all columns of a mail's row as one text. */
export async function allOf({ id }: QueuedMail): Promise<string> {
  const [row] = await sql()<{ text: string }[]>`select row_to_json(mails)::text as text from mails where id = ${id}`;
  return row?.text ?? "";
}

/** Returns the text of a mail that waits. */
export async function textOf(id: string): Promise<string> {
  const [row] = await sql()<{ sealed_body: string }[]>`select sealed_body from mails where id = ${id}`;
  return MailBody.parse(JSON.parse(open("mail-body", row?.sealed_body ?? "", id))).text;
}

/** Ends the wait for the next attempt. */
export const makeDue = ({ id }: QueuedMail) =>
  sql()`update mails set next_attempt_at = now() - interval '1 second' where id = ${id} and next_attempt_at is not null`;

/** Makes a mail older by a PostgreSQL interval. */
export const makeOlder = ({ id }: QueuedMail, by: string) =>
  sql()`update mails set created_at = created_at - ${by}::text::interval where id = ${id}`;

export const alertsOfMails = () =>
  sql()<{ resourceId: string; message: string }[]>`
    select resource_id as "resourceId", message from alerts where merchant_id = 'mer_platform_live' and type = 'mail.failed' order by id`;
