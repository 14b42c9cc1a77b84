import { z } from "zod";
import type { mails } from "#db/schema/mails.ts";
import type { Money } from "#lib/money.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";

export type MailKind = (typeof mails.$inferSelect)["kind"];

/** The values in a mail of each kind. A name, an address or a browser comes from people, so it is quoted. Links lead to DASHBOARD_URL. */
export interface MailWords {
  /** To the address of a new account. */
  verify_email: { name: string; link: string };
  reset_password: { name: string; link: string };
  /** To the owner of an account, after somebody tried to sign up with its address. */
  email_taken: { name: string; signInLink: string; resetLink: string };
  password_changed: { name: string; notMeLink: string };
  /** After a sign-in with a browser that this account had not used. */
  new_device: { name: string; address: string | null; browser: string | null; at: Date; sessionsLink: string };
  second_factor_changed: { name: string; change: SecondFactorChange; at: Date; notMeLink: string };
  /** To a person who adds the first second factor. */
  first_factor_code: { name: string; code: string; securityLink: string };
  /** A day after a person or an operator asked for it. */
  remove_factors: { name: string; link: string };
  /** To the other owners of a business. */
  colleague_changed: ColleagueWords;
  /** To somebody who may have no account. `name` is the member's who invites. */
  invitation: { name: string; business: string; role: string; link: string };
  /** To everyone who leads the business, or did within the last 7 days. `number` is the end of the account's number. */
  bank_account_added: BankAccountWords;
  /** To the customer of a payment link. `name` is what the business calls them. */
  refund_account_needed: RefundWords;
  news: NewsWords;
  summary: SummaryWords;
}

/** A new bank account of a business. */
interface BankAccountWords {
  name: string;
  business: string;
  bankName: string;
  number: string;
  /** The owner, as the account's bank has it. */
  accountName: string;
  usableAt: Date;
  removeLink: string;
}

/** A refund whose account is not known. */
interface RefundWords {
  name: string;
  business: string;
  /** The number of the order that was paid. */
  orderNo: string;
  amount: Money;
  expiresAt: Date;
  isTest: boolean;
  link: string;
}

/** To a member, about one event. `title` and `detail` are our text, but `detail` may name a host or a key. `quote` is text of people. */
export interface NewsWords {
  name: string;
  business: string;
  title: string;
  detail: string;
  quote: string | null;
  at: Date;
  link: string;
  choicesLink: string;
}

/** To a member, about several events. */
export interface SummaryWords extends Pick<NewsWords, "name" | "business" | "link" | "choicesLink"> {
  /** A text about all payments together, or null. */
  payments: string | null;
  /** Newest first. */
  lines: Pick<NewsWords, "title" | "detail" | "at">[];
  /** The number of items without a line of their own. */
  more: number;
}

/** The change of a person's second factor. */
export type SecondFactorChange =
  | "totp_on"
  | "totp_off"
  | "recovery_codes_renewed"
  | "passkey_added"
  | "passkey_removed"
  | "passkey_renamed"
  | "removal_asked"
  | "removal_asked_by_operator"
  | "removal_ended"
  | "removed_by_mail";

/** The change of a colleague's account. */
export type ColleagueChange = "password_reset" | "first_factor" | "factors_removed" | "not_me";

/** Older news would mislead, so mails that waited longer than this, because the mail server was down, are not sent. */
const NEWS_LASTS_MS = DAY_MS;

/** `colleague` is the name of the person whose account has changed. */
interface ColleagueWords {
  name: string;
  business: string;
  colleague: string;
  change: ColleagueChange;
  /** The changes that the account has made to the team, oldest first. */
  acts: TeamAct[];
  at: Date;
  teamLink: string;
}

/** A change of a team. `who` is the name of the person whom it is about, or for `joined` the email that was invited. */
export interface TeamAct {
  kind: "made_owner" | "role_changed" | "removed" | "joined";
  who: string;
  from: string | null;
  to: string | null;
}

/** How long the link or the code of a mail works, in milliseconds. A mail that is older is not sent. */
export const LINK_WORKS_FOR_MS = {
  verify_email: 3 * DAY_MS,
  reset_password: 30 * MINUTE_MS,
  invitation: 7 * DAY_MS,
  not_me: 30 * DAY_MS,
  ask_removal: 30 * MINUTE_MS,
  remove_factors: 7 * DAY_MS,
  first_factor_code: 15 * MINUTE_MS,
  refund_account_needed: 3 * DAY_MS,
};

/** Returns the age in milliseconds from which a mail of a kind is not sent any more, or undefined if it is never too old. */
export function maxAgeMs(kind: MailKind): number | undefined {
  if (kind === "news" || kind === "summary") return NEWS_LASTS_MS;
  return kind in LINK_WORKS_FOR_MS ? LINK_WORKS_FOR_MS[kind as keyof typeof LINK_WORKS_FOR_MS] : undefined;
}

/** A mail as it is sent. Text and HTML say the same. */
export const MailBody = z.strictObject({ subject: z.string(), text: z.string(), html: z.string() });
export type MailBody = z.output<typeof MailBody>;
