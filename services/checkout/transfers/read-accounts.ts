import { and, eq } from "drizzle-orm";
import { db, sql } from "#db/client.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";
import type { AccountReading } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { READ_AFTER_END_MS } from "../account-schedule.ts";
import { takeNotice } from "./take-notice.ts";

/** The lease of a claim on an account. Also the first wait of the backoff. */
const LEASE_MS = MINUTE_MS;
/** With the backoff, an account has then failed for about an hour. */
const FAILURES_BEFORE_ALERT = 7;
/** An account that fails for so long after the end of its link is not read any more. */
const GIVE_UP_AFTER_MS = 7 * DAY_MS;

interface Claimed {
  provider: string;
  accountNumber: string;
  merchantId: string;
  linkId: string;
  failures: number;
  /** When the claim ends, as the database writes it. */
  leasedUntil: string;
}

type Link = Pick<typeof paymentLinks.$inferSelect, "reference" | "accountNumber" | "expiresAt">;

/**
 * Reads up to `limit` accounts that are due at their banks, because a lost notice must not lose money. What a bank says goes the way of its
 * notices, which takes each transfer once. An account is read three times after the end of its link, paid or not, and soon after its payer says
 * that the money was sent. Returns how many were due.
 */
export const readDueAccounts = verb({ actor: ["system"] }, async (ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await claimDue(limit);
  await forEachAtOnce(due, (account) => readOne(ctx, account));
  return due.length;
});

async function readOne(ctx: SystemContext, account: Claimed): Promise<void> {
  const [link] = await db()
    .select({ reference: paymentLinks.reference, accountNumber: paymentLinks.accountNumber, expiresAt: paymentLinks.expiresAt })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, account.merchantId), eq(paymentLinks.id, account.linkId)));
  if (!link) throw new Error(`account ${account.accountNumber} of ${account.provider} belongs to no link`);
  const reading = await ask(account, link);
  if (reading.status === "unknown") return afterFailure(account, link);
  if (reading.status === "not_found") await alert(account, "bank_account.not_found", "does not know the account that it opened");
  else for (const notice of reading.transfers) await takeNotice(ctx, account.provider, notice);
  await schedule(account, link);
}

/** An answer about another account is none. */
async function ask({ provider }: Claimed, { reference, accountNumber }: Link): Promise<AccountReading> {
  const reading = (await banks.named(provider)?.readAccount(reference)) ?? { status: "unknown" };
  if (reading.status !== "read" || reading.transfers.every((notice) => notice.accountNumber === accountNumber)) return reading;
  log().error({ provider, reference }, "a bank answered about another account than the one that was read");
  return { status: "unknown" };
}

/** Claims accounts that are due, until a time that grows with their failures. */
async function claimDue(limit: number): Promise<Claimed[]> {
  return sql()<Claimed[]>`
    update one_time_accounts a
    set next_read_at = now() + ${LEASE_MS} * power(2, least(a.read_failures, 6)) * interval '1 ms', read_failures = a.read_failures + 1
    from (
      select provider, account_number from one_time_accounts where next_read_at <= now() order by next_read_at limit ${limit} for update skip locked
    ) due
    where a.provider = due.provider and a.account_number = due.account_number
    returning a.provider, a.account_number as "accountNumber", a.merchant_id as "merchantId", a.link_id as "linkId",
      a.read_failures as failures, a.next_read_at::text as "leasedUntil"`;
}

/** The claim has set the next attempt. */
async function afterFailure(account: Claimed, { reference, expiresAt }: Link): Promise<void> {
  const { provider, accountNumber, failures } = account;
  log().warn({ provider, reference, failures }, "a bank did not say what has arrived at an account; it is asked again");
  if (failures === FAILURES_BEFORE_ALERT)
    await alert(account, "bank_account.unread", "was asked again and again what arrived there, and does not say");
  if (expiresAt.getTime() + GIVE_UP_AFTER_MS > Date.now()) return;
  await sql()`update one_time_accounts set next_read_at = null where provider = ${provider} and account_number = ${accountNumber}`;
}

/** Why operators look at an account themselves. */
type Unheard = "bank_account.not_found" | "bank_account.unread";

function alert({ provider, accountNumber, merchantId, linkId }: Claimed, type: Unheard, said: string): Promise<void> {
  const message = `${provider} ${said} (account ${accountNumber}, ${merchantId}). Money of its payer may be missing here: ask the bank.`;
  return alertOperators(modeOf(provider), { type, resourceId: linkId, message });
}

/** Sets the next reading, or none. A payer who has said meanwhile that the money was sent keeps the earlier one. */
async function schedule({ provider, accountNumber, leasedUntil }: Claimed, { expiresAt }: Link): Promise<void> {
  const times = READ_AFTER_END_MS.map((ms) => new Date(expiresAt.getTime() + ms).toISOString());
  await sql()`
    update one_time_accounts set read_failures = 0,
      next_read_at = case when next_read_at < ${leasedUntil}::timestamptz then next_read_at
        else (select min(at) from unnest(${times}::text[]::timestamptz[]) at where at > now()) end
    where provider = ${provider} and account_number = ${accountNumber}`;
}
