import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { payouts } from "#db/schema/payouts.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { PayoutBank } from "#providers/payout-bank.ts";
import type { Merchant } from "../../context.ts";
import type { Metadata } from "../../fields.ts";
import { holdOrRefuse } from "../../ledger/index.ts";
import { LEASE_MS } from "../../money-out.ts";
import { hold } from "../../money-out-journal.ts";
import { type BankAccountRow, bankAccountFromRow } from "../bank-account.ts";
import { asSent, type PayoutRow } from "../payout.ts";
import type { PayoutRules } from "../payout-rules.ts";
import { holdBankAccount, lockMerchant } from "../rows.ts";
import { feeOfPayout } from "../rules/fees.ts";
import { type PayoutLimits, readLimits } from "../rules/limits.ts";
import { type Payable, readPayable } from "../rules/payable.ts";
import { readRules } from "../rules/read-rules.ts";

/** A payout that shall be stored. */
export interface NewPayout {
  id: string;
  bankAccountId: string;
  amount: Money;
  narration?: string | undefined;
  metadata?: Metadata | undefined;
  /** Naira with the fee that the caller expects. */
  expectedTotal?: Money | undefined;
  madeBy: string;
  /** The request that a second person approves with this payout. */
  approval?: { requestId: string; approvedBy: string };
  /** For an automatic payout: its day in Lagos, and the begin of the rules by which its amount was computed. */
  automaticFor?: string;
  byRulesOf?: Date | null;
}

type Tenant = Pick<Merchant, "id" | "mode">;

/**
 * Stores a payout as `processing` and holds its money, before the bank is asked. Limits, balance and account are checked under the merchant's lock, so
 * that payouts at once cannot exceed them together. Throws RESOURCE_NOT_FOUND, VALIDATION_ERROR (an account that cannot be paid to, an amount beyond
 * the bank's), MERCHANT_SUSPENDED, LIMIT_EXCEEDED, PRICE_CHANGED and INSUFFICIENT_BALANCE. Locks: merchant, account, ledger accounts.
 */
export async function claimPayout(tx: Tx, merchant: Tenant, bank: PayoutBank, payout: NewPayout): Promise<PayoutRow> {
  const { at, isSuspended } = await lockMerchant(tx, merchant.id);
  if (isSuspended) throw new Problem("MERCHANT_SUSPENDED", "This account is suspended: nothing can be paid out. Write to support.");
  const account = await usableAccount(tx, merchant.id, bank, payout.bankAccountId);
  requireWithinBank(bank, payout.amount);
  const rules = await readRules(tx, merchant.id, at);
  if (payout.automaticFor) requireSameRules(rules, payout);
  const limits = await readLimits(tx, merchant);
  await requireWithinLimits(tx, merchant, { limits, rules }, payout);
  const fee = await feeOfPayout(tx, merchant, payout.amount, at);
  const total = money(payout.amount.minor + fee.minor, "NGN");
  if (payout.expectedTotal && payout.expectedTotal.minor !== total.minor) {
    throw new Problem("PRICE_CHANGED", `This takes ${formatMoney(total)} from your wallet now, not ${formatMoney(payout.expectedTotal)}.`);
  }
  requireCovered(total, await readPayable(tx, merchant, limits));
  const row = await insert(tx, merchant.id, bank, { account, fee, payout });
  await holdOrRefuse(tx, merchant.id, [hold(asSent(row))]);
  return row;
}

/** Returns the account that an order names. Throws where no money can be paid to it now. */
export async function usableAccount(tx: Tx, merchantId: string, bank: PayoutBank, id: string): Promise<BankAccountRow> {
  const row = await holdBankAccount(tx, merchantId, id);
  const refuse = (message: string) => invalid("bank_account_id", message);
  const { state, usableAt, provider } = bankAccountFromRow(row);
  if (state === "removed") throw notFound("bank account");
  if (state === "deciding") throw refuse("Our people have not decided about this account yet.");
  if (state === "waiting") throw refuse(`Money can be paid to this account from ${lagosDateTime(usableAt)} (West Africa Time).`);
  if (provider !== bank.name) throw refuse("Your money is at another bank since this account was added. Remove it, and add it again.");
  return row;
}

/** Throws VALIDATION_ERROR for an amount that the bank does not send. */
export function requireWithinBank({ capabilities }: PayoutBank, amount: Money): void {
  const { min, max } = capabilities.amount;
  if (amount.minor < min.minor) throw invalid("amount", `The bank sends at least ${formatMoney(min)}.`);
  if (amount.minor > max.minor) throw invalid("amount", `The bank sends at most ${formatMoney(max)} at once. Send it in parts.`);
}

/** Throws LIMIT_EXCEEDED if the business has changed its rules since the amount of an automatic payout was computed. */
function requireSameRules({ validFrom }: PayoutRules, { byRulesOf }: NewPayout): void {
  if (validFrom?.getTime() === byRulesOf?.getTime()) return;
  throw above("The rules for payouts were changed meanwhile.");
}

const above = (message: string) => new Problem("LIMIT_EXCEEDED", message);

/**
 * Throws LIMIT_EXCEEDED for an amount above a limit of one payout or of the day. Two people may pay out more than one may alone. Limits and rules were read
 * after the merchant's lock.
 */
export async function requireWithinLimits(
  tx: Tx,
  merchant: Tenant,
  { limits, rules }: { limits: PayoutLimits; rules: PayoutRules },
  { amount, approval, what = "payout", refundId }: { amount: Money; approval?: unknown; what?: "payout" | "refund"; refundId?: string },
): Promise<void> {
  const sent = await sentToday(tx, merchant.id, refundId);
  if (amount.minor > limits.maxAmount.minor) throw above(`One ${what} is at most ${formatMoney(limits.maxAmount)} here.`);
  if (rules.maxAmount && amount.minor > rules.maxAmount.minor) {
    throw above(`Your business allows at most ${formatMoney(rules.maxAmount)} for one ${what}.`);
  }
  if (!approval && needsTwoPeople(amount, rules, sent)) {
    const sum = formatMoney(rules.twoPeopleAbove ?? amount);
    throw above(`Your business wants two people for more than ${sum} a day. Ask for it in the dashboard.`);
  }
  const most = [limits.maxADay, rules.maxADay].flatMap((limit) => limit ?? []).reduce((a, b) => (b.minor < a.minor ? b : a));
  if (sent.all.minor + amount.minor > most.minor) {
    const already = formatMoney(sent.all);
    throw above(
      `A day's payouts and refunds are at most ${formatMoney(most)}, and ${already} is sent today. The day ends at midnight in Lagos.`,
    );
  }
}

/** Returns whether one person may not pay out an amount alone, after what one person has paid out today: parts of a sum count together. */
export const needsTwoPeople = (amount: Money, { twoPeopleAbove }: Pick<PayoutRules, "twoPeopleAbove">, { byOne }: SentToday): boolean =>
  twoPeopleAbove !== null && byOne.minor + amount.minor > twoPeopleAbove.minor;

/** Naira of today's payouts and refunds that banks have paid or may pay. */
export interface SentToday {
  all: Money;
  /** The payouts of these that no second person agreed to. */
  byOne: Money;
}

/**
 * Returns what has been sent on the day in Lagos at which the transaction began. That is the time of the rows that it stores, so each payout counts for
 * the day whose sum it was compared with, also if it waited for a lock beyond midnight. A refund counts for the day on which it is ordered, and before that
 * for the day on which it was made; a customer has at most ten days to name an account.
 */
export async function sentToday(tx: Tx | Database, merchantId: string, exceptRefund = "none"): Promise<SentToday> {
  const [row] = await tx.execute<{ kobo: string; by_one: string }>(sql`
    select coalesce(sum(t.amount), 0)::text as kobo, coalesce(sum(t.amount) filter (where t.is_by_one), 0)::text as by_one
    from (
      select p.amount, p.created_at, p.request_id is null as is_by_one from payouts p
      where p.merchant_id = ${merchantId} and p.created_at >= now() - interval '1 day' and p.status in ('processing', 'paid')
      union all
      select r.amount, coalesce(r.ordered_at, r.created_at), false from refunds r
      where r.merchant_id = ${merchantId} and r.created_at >= now() - interval '12 days' and coalesce(r.ordered_at, r.created_at) >= now() - interval '1 day'
        and r.status in ('needs_account', 'processing', 'paid') and r.id <> ${exceptRefund}
    ) t
    where (t.created_at at time zone 'Africa/Lagos')::date = (now() at time zone 'Africa/Lagos')::date`);
  return { all: money(BigInt(row?.kobo ?? 0), "NGN"), byOne: money(BigInt(row?.by_one ?? 0), "NGN") };
}

function requireCovered(total: Money, { available, fresh, payable }: Payable): void {
  if (total.minor <= payable.minor) return;
  const takes = `This takes ${formatMoney(total)}, and ${formatMoney(payable)} of your wallet can be paid out now.`;
  const waits = ` ${formatMoney(fresh)} came too short a time ago, because banks may take payments back.`;
  const isFresh = fresh.minor > 0n && total.minor <= available.minor;
  throw new Problem("INSUFFICIENT_BALANCE", isFresh ? takes + waits : takes);
}

interface Priced {
  account: BankAccountRow;
  fee: Money;
  payout: NewPayout;
}

async function insert(tx: Tx, merchantId: string, bank: PayoutBank, { account, fee, payout }: Priced): Promise<PayoutRow> {
  const { bankCode, bankName, accountNumber, accountName } = account;
  const { id, bankAccountId, amount, narration, metadata, madeBy, approval, automaticFor } = payout;
  const [row] = await tx
    .insert(payouts)
    .values({
      ...{ merchantId, id, provider: bank.name, bankAccountId, bankCode, bankName, accountNumber, accountName },
      ...{ amount: amount.minor, fee: fee.minor, narration, metadata: metadata ?? {}, madeBy, automaticFor, ...approval },
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .returning();
  if (!row) throw new Error(`payout ${id} was not stored`);
  return row;
}
