import { and, eq, or, sql as sqlOf } from "drizzle-orm";
import { db, sql } from "#db/client.ts";
import { bankTransfers, paymentLinks } from "#db/schema/checkout.ts";
import { OPENS_REFUNDS_OF_A_LINK, refunds } from "#db/schema/refunds.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { Bank, BankNotice } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { READ_AFTER_END_MS, READ_AFTER_HINT_MS } from "../account-schedule.ts";
import { takeNotice } from "./take-notice.ts";

/** The lease of a claim on an account, longer than the wait after a payer's word (`schedule`). Also the first wait of the backoff. */
const LEASE_MS = 2 * MINUTE_MS;
/** The waits double, so the sixth attempt comes after about an hour. */
const FAILURES_BEFORE_ALERT = 6;
/** A bank that does not know an account says so again before operators are told. */
const DENIALS_BEFORE_ALERT = 3;
/** An account that fails for so long after the end of its link is not read any more. */
const GIVE_UP_AFTER_MS = 7 * DAY_MS;

/** Accounts of one bank that are read at once. */
const AT_ONCE = 10;
/** A sweep works for so long on a bank with many due accounts, so that a slow bank delays the next sweep of the others a little only. */
const WORKS_FOR_MS = 5 * SECOND_MS;

interface Claimed {
  provider: string;
  /** Our reference for the account. */
  reference: string;
  accountNumber: string;
  merchantId: string;
  linkId: string;
  failures: number;
  /** When the claim ends, as the database writes it. */
  leasedUntil: string;
}

type Link = Pick<typeof paymentLinks.$inferSelect, "expiresAt" | "amount">;

/** Why an account could not be read. `denied`: its bank does not know it. */
type Failure = "denied" | "unread";

/**
 * Reads accounts that are due at their banks, because a lost notice must not lose money. What a bank says goes the way of its notices, which
 * takes each transfer once. An account is read three times after the end of its link, paid or not, and soon after its payer says that the money
 * was sent. Each bank has its own turn. Returns how many accounts were due.
 */
export const readDueAccounts = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  const counts = await Promise.all(banks.all().map((bank) => readAtBank(ctx, bank)));
  return counts.reduce((sum, count) => sum + count, 0);
});

async function readAtBank(ctx: SystemContext, bank: Bank): Promise<number> {
  const startedAtMs = performance.now();
  for (let done = 0; ; ) {
    const due = await claimDue(bank.name);
    const silent = await Promise.all(due.map((account) => readOrLog(ctx, { bank, account, isHinted: false })));
    const [first] = due.filter((_, n) => silent[n]);
    if (first) await tellOfSilence(first);
    done += due.length;
    if (due.length < AT_ONCE || performance.now() - startedAtMs > WORKS_FOR_MS) return done;
  }
}

const CLAIMED = `a.provider, a.account_reference as reference, a.account_number as "accountNumber", a.merchant_id as "merchantId",
  a.link_id as "linkId", a.read_failures as failures, a.next_read_at::text as "leasedUntil"`;

/** Claims accounts that are due, until a time that grows with their failures. */
async function claimDue(provider: string): Promise<Claimed[]> {
  const query = sql();
  return query<Claimed[]>`
    update one_time_accounts a
    set next_read_at = now() + ${LEASE_MS} * power(2, least(a.read_failures, 5)) * interval '1 ms', read_failures = a.read_failures + 1
    from (
      select provider, account_reference from one_time_accounts
      where provider = ${provider} and next_read_at <= now() order by next_read_at limit ${AT_ONCE} for update skip locked
    ) due
    where a.provider = due.provider and a.account_reference = due.account_reference
    returning ${query.unsafe(CLAIMED)}`;
}

/**
 * Reads an account of which its bank says that it has changed, whether it is due or not. The claim stores that it has to be read, so it is read
 * later if this fails. Does not count as a failure of the account. Returns false if no link has the account.
 */
export async function readChanged(ctx: SystemContext, provider: string, reference: string): Promise<boolean> {
  const query = sql();
  const [claimed] = await query<Claimed[]>`
    update one_time_accounts a set next_read_at = now() + ${LEASE_MS} * interval '1 ms'
    where provider = ${provider} and account_reference = ${reference} returning ${query.unsafe(CLAIMED)}`;
  if (!claimed) return false;
  const bank = banks.named(provider);
  const isSilent = bank ? await readOrLog(ctx, { bank, account: claimed, isHinted: true }) : false;
  if (isSilent) await tellOfSilence(claimed);
  return true;
}

interface Asked {
  bank: Bank;
  account: Claimed;
  /** Whether the bank has said that something changed. */
  isHinted: boolean;
}

/**
 * Logs a failure instead of throwing it, because it must not stop the reading of other accounts. The claim has set the next attempt. After a hint
 * the account is read once more soon, because what a bank says may be older than its hint. Returns whether operators must be told that the bank
 * does not say what arrived.
 */
async function readOrLog(ctx: SystemContext, { bank, account, isHinted }: Asked): Promise<boolean> {
  const { provider, linkId, failures } = account;
  try {
    const link = await findLink(account);
    const failure = await readOne(ctx, bank, { account, link }).catch((error): Failure => {
      log().error({ provider, linkId, err: error }, "what a bank says of an account could not be taken");
      return "unread";
    });
    if (failure !== undefined) {
      log().warn({ provider, linkId, failures, failure }, "an account could not be read at its bank; it is read again");
      return await afterFailure(account, { link, failure, isHinted });
    }
    await schedule(account, link, isHinted);
    return false;
  } catch (error) {
    log().error({ provider, linkId, err: error }, "an account could not be read; it is read again");
    return failures >= FAILURES_BEFORE_ALERT;
  }
}

async function findLink({ merchantId, linkId }: Claimed): Promise<Link> {
  const [link] = await db()
    .select({ expiresAt: paymentLinks.expiresAt, amount: paymentLinks.amount })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, linkId)));
  if (!link) throw new Error(`there is no link ${linkId} of ${merchantId}`);
  return link;
}

/** Takes every transfer that the bank names. Returns undefined if it named all, and all are taken. */
async function readOne(ctx: SystemContext, bank: Bank, { account, link }: { account: Claimed; link: Link }): Promise<Failure | undefined> {
  const reading = await bank.readAccount({ reference: account.reference, amount: money(link.amount, "NGN") });
  if (reading.status === "not_found") return "denied";
  if (reading.status === "unknown") {
    if (reading.unclear !== undefined) await tellOfUnclear(account, reading.unclear);
    return "unread";
  }
  if (reading.transfers.some((transfer) => isOfAnother(account, transfer))) {
    log().error({ provider: account.provider, linkId: account.linkId }, "a bank answered about another account than the one that was read");
    return "unread";
  }
  if (await isPaymentGone(account, reading.transfers)) {
    await tellOfUnclear(account, GONE);
    return "unread";
  }
  if (reading.transfers.some(({ returnedBecause }) => returnedBecause === "recalled") && (await mayBeRefund(account))) return "unread";
  return takeAll(ctx, account, reading.transfers);
}

const GONE = "A bank names the payment of a link no more.";
/** A reading may be older than the notice that told of a payment. */
const PAYMENT_SHOWS_WITHIN_MS = 10 * MINUTE_MS;

/** Returns whether a payment that this account credited is not among the transfers of a reading. Then it may have been taken back in an unknown way. */
async function isPaymentGone({ provider, reference, merchantId, linkId }: Claimed, transfers: BankNotice[]): Promise<boolean> {
  const [accepted] = await db()
    .select({ sessionId: bankTransfers.sessionId })
    .from(bankTransfers)
    .where(
      and(
        eq(bankTransfers.merchantId, merchantId),
        eq(bankTransfers.linkId, linkId),
        eq(bankTransfers.disposition, "accepted"),
        eq(bankTransfers.provider, provider),
        eq(bankTransfers.accountReference, reference),
        sqlOf`${bankTransfers.createdAt} < now() - ${PAYMENT_SHOWS_WITHIN_MS} * interval '1 ms'`,
      ),
    );
  return accepted !== undefined && !transfers.some(({ sessionId }) => sessionId === accepted.sessionId);
}

/** A bank may show the effect of a refund before it lists the refund. */
const REFUND_SHOWS_WITHIN_MS = 10 * MINUTE_MS;

/** Returns whether a refund of ours at the bank may be what a reading takes for a recall. Then it is read again later. */
async function mayBeRefund({ merchantId, linkId }: Claimed): Promise<boolean> {
  const isAtBank = and(
    eq(refunds.merchantId, merchantId),
    eq(refunds.linkId, linkId),
    sqlOf.raw(OPENS_REFUNDS_OF_A_LINK),
    eq(refunds.route, "bank"),
  );
  const isYoung = sqlOf`${refunds.orderedAt} > now() - ${REFUND_SHOWS_WITHIN_MS} * interval '1 ms'`;
  return (await db().$count(refunds, and(isAtBank, or(eq(refunds.status, "processing"), isYoung)))) > 0;
}

const tellOfUnclear = ({ provider, merchantId, linkId }: Claimed, unclear: string) =>
  alertOperators(modeOf(provider), {
    type: "bank_account.unclear",
    resourceId: linkId,
    cause: `${linkId}:unclear`,
    message: `${unclear} Link ${linkId} of ${merchantId}. Nothing moved. Ask ${provider}. If the money was taken back by another than us: npm run oja -- payment-recalled ${linkId} --merchant ${merchantId} --reason TEXT (with --besides-refunds where refunds of ours went back too)`,
  });

const isOfAnother = ({ reference, accountNumber }: Claimed, transfer: BankNotice) =>
  transfer.accountReference !== reference || (transfer.accountNumber ?? accountNumber) !== accountNumber;

/** Takes transfers like notices. One that cannot be taken does not keep the others. */
async function takeAll(ctx: SystemContext, { provider, linkId }: Claimed, transfers: BankNotice[]): Promise<Failure | undefined> {
  let failure: Failure | undefined;
  await forEachAtOnce(transfers, async (transfer) => {
    try {
      await takeNotice(ctx, provider, transfer);
    } catch (error) {
      failure = "unread";
      log().error({ provider, linkId, sessionId: transfer.sessionId, err: error }, "a transfer that was read could not be taken");
    }
  });
  return failure;
}

/** Tells operators of a denial, and does not read an account for ever. Returns whether they must be told of a silence. */
async function afterFailure(
  account: Claimed,
  { link, failure, isHinted }: { link: Link; failure: Failure; isHinted: boolean },
): Promise<boolean> {
  const { provider, reference, failures, leasedUntil } = account;
  // After a hint there is something to read, however old the account is.
  const isOver = !isHinted && link.expiresAt.getTime() + GIVE_UP_AFTER_MS < Date.now();
  if (failure === "denied" && (isOver || failures >= DENIALS_BEFORE_ALERT)) await tellOfDenial(account);
  if (isOver)
    await sql()`
      update one_time_accounts set next_read_at = null
      where provider = ${provider} and account_reference = ${reference} and next_read_at = ${leasedUntil}::timestamptz`;
  return failure === "unread" && (isOver || failures >= FAILURES_BEFORE_ALERT);
}

const tellOfDenial = ({ provider, accountNumber, merchantId, linkId }: Claimed) =>
  alertOperators(modeOf(provider), {
    type: "bank_account.not_found",
    resourceId: linkId,
    message: `${provider} does not know account ${accountNumber} (${merchantId}), which it opened. Money of its payer may be missing here: ask the bank.`,
  });

/** One alert for a bank, however many of its accounts are not read. */
const tellOfSilence = ({ provider, accountNumber, merchantId }: Claimed) =>
  alertOperators(modeOf(provider), {
    type: "bank_account.unread",
    resourceId: provider,
    message: `${provider} was asked again and again what arrived at account ${accountNumber} (${merchantId}), and maybe at others, and does not say. Money of payers may be missing here: ask the bank.`,
  });

/**
 * Sets the next reading, or none. An earlier reading that was asked for meanwhile stays, and so does another claim, which may have been made after
 * the bank's answer to this one.
 */
async function schedule({ provider, reference, leasedUntil }: Claimed, { expiresAt }: Link, isHinted: boolean): Promise<void> {
  const afterEnd = READ_AFTER_END_MS.map((ms) => expiresAt.getTime() + ms);
  const times = [...afterEnd, ...(isHinted ? [Date.now() + READ_AFTER_HINT_MS] : [])].map((ms) => new Date(ms).toISOString());
  await sql()`
    update one_time_accounts set read_failures = 0,
      next_read_at = case when next_read_at < ${leasedUntil}::timestamptz then next_read_at
        else (select min(at) from unnest(${times}::text[]::timestamptz[]) at where at > now()) end
    where provider = ${provider} and account_reference = ${reference} and next_read_at <= ${leasedUntil}::timestamptz`;
}
