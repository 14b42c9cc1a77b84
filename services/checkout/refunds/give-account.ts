import { and, eq, gt, isNull, lt, sql } from "drizzle-orm";
import { z } from "zod";
import { db, sql as query, type Tx, transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { refunds } from "#db/schema/refunds.ts";
import { formatMoney, money } from "#lib/money.ts";
import { invalid, Problem } from "#lib/problem.ts";
import { CannotOpen, open, seal } from "#lib/sealed.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";
import type { AccountToPay, BankInList } from "#providers/payout-bank.ts";
import { raiseAlert } from "../../alerts/index.ts";
import type { Context } from "../../context.ts";
import { LEASE_MS, MAX_CLAIM_TO_CALL_MS } from "../../money-out.ts";
import { isNameOf, type LockedMerchant, listBanksAt, lockMerchant, readAccountName, requireRoomForRefund } from "../../payouts/index.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { RefundRow } from "../refund.ts";
import { refundOfToken } from "./account-link.ts";
import { hasExpired } from "./end-waiting.ts";
import { orderRefund } from "./order-refund.ts";
import { findRefundRow, isRefund, lockRefund, type RefundKey } from "./refund-rows.ts";

/** How long an owner can agree to an account with another name than the sender's. */
const OWNER_WITHIN_MS = 7 * DAY_MS;
/** How often a customer may ask for the name of an account. */
const MAX_LOOKUPS = 20;
/** A name that a bank has told is believed for so long. */
const CANDIDATE_LASTS_MS = 15 * MINUTE_MS;

/** As much of a refund as the page of a mailed link shows. */
export interface RefundOfLink extends Pick<RefundRow, "status" | "amount" | "bankName" | "accountName" | "expiresAt" | "awaitsOwner"> {
  business: string;
  isTest: boolean;
  /** The last four digits of the account. */
  number: string | null;
  /** Whether an account can still be named. */
  isOpen: boolean;
}

/** Returns the refund that the link of a mail names, or undefined for a text that is no token of ours. */
export async function findRefundOfLink(token: string): Promise<RefundOfLink | undefined> {
  const key = refundOfToken(token);
  const row = key && (await findRefundRow(key));
  if (!row) return undefined;
  const [merchant] = await query()<{ name: string; mode: "test" | "live" }[]>`
    select b.name, m.mode from merchants m join businesses b on b.id = m.business_id where m.id = ${row.merchantId}`;
  const { status, amount, bankName, accountName, accountNumber, expiresAt, awaitsOwner, lookups } = row;
  const isInTime = expiresAt !== null && expiresAt > new Date();
  const isOpenNow = status === "needs_account" && accountNumber === null && isInTime && lookups < MAX_LOOKUPS;
  return {
    status,
    amount,
    bankName,
    accountName,
    expiresAt,
    awaitsOwner,
    business: merchant?.name ?? "",
    isTest: merchant?.mode === "test",
    number: accountNumber?.slice(-4) ?? null,
    isOpen: isOpenNow,
  };
}

/** Lists the banks to whose accounts a refund can go. Undefined where the list cannot be read now. */
export async function listBanksForRefund(token: string): Promise<BankInList[] | undefined> {
  const key = refundOfToken(token);
  const row = key && (await findRefundRow(key));
  const bank = row && payoutBanks.named(row.provider);
  return bank && listBanksAt(bank).catch(unlessProblem);
}

/** Returns undefined in place of a problem of the provider. */
function unlessProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

function bankOf({ id, provider }: Pick<RefundRow, "id" | "provider">) {
  const bank = payoutBanks.named(provider);
  if (!bank) throw new Error(`refund ${id} is at a bank that is not known here`);
  return bank;
}

/** An account that the customer has typed, with the name that its bank has told. It is sealed, so that nobody can write a name into it. */
const Candidate = z.object({
  ...{ bankCode: z.string(), accountNumber: z.string(), bankName: z.string(), accountName: z.string() },
  namedAt: z.number(),
});
export type Candidate = z.output<typeof Candidate>;

const OVER = "This link does not work any more. Write to the business that you paid.";

/**
 * Asks an account's bank for its name, so that the customer can check it. Returns it sealed, as `giveRefundAccount` takes it. Throws VALIDATION_ERROR for a
 * link that does not work any more, an unknown bank or number, a bank that does not answer, and after 20 questions.
 */
export const nameRefundAccount = verb(
  { actor: ["anyone"] },
  async (_ctx: Context, token: string, account: AccountToPay): Promise<string> => {
    const key = refundOfToken(token);
    const row = key && (await findRefundRow(key));
    if (!row) throw invalid("", OVER);
    const bank = bankOf(row);
    // A typing error is no question to a bank.
    const banks = await listBanksAt(bank).catch(atField);
    if (!banks.some(({ code }) => code === account.bankCode)) throw invalid("bank_code", "Choose your bank from the list.");
    if (!(await countLookup(key, 1))) throw invalid("", OVER);
    const named = await readAccountName(bank, account).catch(async (error) => {
      const isSilent = error instanceof Problem && error.code === "PROVIDER_ERROR";
      if (isSilent) await countLookup(key, -1);
      return atField(error);
    });
    const candidate: Candidate = { ...account, ...named, namedAt: Date.now() };
    return seal("form", JSON.stringify(candidate), key.id);
  },
);

/** Counts a question to a bank, or takes it back. Returns false where the link does not work any more, or has asked too often. */
async function countLookup(key: RefundKey, by: 1 | -1): Promise<boolean> {
  const asked = await db()
    .update(refunds)
    .set({ lookups: sql`${refunds.lookups} + ${by}` })
    .where(and(isRefund(key), isOpen(), lt(refunds.lookups, by > 0 ? MAX_LOOKUPS : MAX_LOOKUPS + 1)))
    .returning({ id: refunds.id });
  return asked.length > 0;
}

/** Shows at the field that a bank does not answer. */
function atField(error: unknown): never {
  throw error instanceof Problem && error.code === "PROVIDER_ERROR" ? invalid("account_number", error.message) : error;
}

/** A refund whose customer can still name an account. */
const isOpen = () => and(eq(refunds.status, "needs_account"), isNull(refunds.accountNumber), gt(refunds.expiresAt, sql`now()`));

/** Returns the account in a sealed text of `nameRefundAccount`, or undefined where it is not one for this link, or too old. */
export function readCandidate(token: string, sealed: string): Candidate | undefined {
  const key = refundOfToken(token);
  if (!key) return undefined;
  try {
    const candidate = Candidate.parse(JSON.parse(open("form", sealed, key.id)));
    return candidate.namedAt > Date.now() - CANDIDATE_LASTS_MS ? candidate : undefined;
  } catch (error) {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  }
}

/**
 * Takes the account that a customer names by the link of a mail, once. The refund is ordered at once if the account has the sender's name, and otherwise
 * waits for an owner. Throws VALIDATION_ERROR where the link does not work any more, or the name was told too long ago. Locks: merchant, link, refund, ledger accounts.
 */
export const giveRefundAccount = verb({ actor: ["anyone"] }, async (_ctx: Context, token: string, sealed: string): Promise<void> => {
  const elapsedMs = startStopwatch();
  const key = refundOfToken(token);
  const candidate = readCandidate(token, sealed);
  if (!key || !candidate) throw invalid("account_number", "Type your account again.");
  const refund = await transaction((tx) => take(tx, key, candidate));
  if (refund.status === "processing" && elapsedMs() < MAX_CLAIM_TO_CALL_MS) await orderRefund(refund);
});

async function take(tx: Tx, key: RefundKey, { bankCode, bankName, accountNumber, accountName }: Candidate): Promise<RefundRow> {
  const merchant = await lockMerchant(tx, key.merchantId);
  if (merchant.isSuspended) throw invalid("", "This refund cannot go on now. Write to the business that you paid.");
  const { refund } = (await lockRefund(tx, key)) ?? {};
  if (refund?.status !== "needs_account" || refund.accountNumber !== null || (await hasExpired(tx, refund))) throw invalid("", OVER);
  const sender = await senderNameOf(tx, refund);
  const account = { bankCode, bankName, accountNumber, accountName, accountGivenAt: sql`date_trunc('milliseconds', now())` };
  if (sender !== null && isNameOf(sender, accountName)) return begin(tx, merchant, refund, account).catch(tellCustomer);
  const [waiting] = await tx
    .update(refunds)
    .set({ ...account, awaitsOwner: true, expiresAt: sql`now() + ${OWNER_WITHIN_MS} * interval '1 ms'` })
    .where(isRefund(refund))
    .returning();
  if (!waiting) throw new Error(`the locked refund ${refund.id} was not found`);
  await tellOwners(tx, waiting, sender);
  return waiting;
}

async function senderNameOf(tx: Tx, { merchantId, transferId }: RefundRow): Promise<string | null> {
  const [transfer] = await tx
    .select({ senderName: bankTransfers.senderName })
    .from(bankTransfers)
    .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, transferId)));
  return transfer?.senderName ?? null;
}

/** A customer is told of a limit in other words: the link goes on working. */
function tellCustomer(error: unknown): never {
  if (error instanceof Problem && error.code === "LIMIT_EXCEEDED")
    throw invalid("", "This refund cannot be sent today. Open the link of the mail again tomorrow.");
  throw error;
}

/**
 * Makes a refund whose account is decided `processing`. The caller has locked merchant and refund, and orders it after the commit. Throws LIMIT_EXCEEDED:
 * the limits hold on the day on which the money leaves.
 */
export async function begin(tx: Tx, merchant: LockedMerchant, refund: RefundRow, changes: object = {}): Promise<RefundRow> {
  await requireRoomForRefund(tx, merchant, { amount: money(refund.amount, "NGN"), at: merchant.at, refundId: refund.id });
  const [begun] = await tx
    .update(refunds)
    .set({
      ...changes,
      ...{ status: "processing", awaitsOwner: false, expiresAt: null, orderedAt: sql`now()` },
      nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
    })
    .where(isRefund(refund))
    .returning();
  if (!begun) throw new Error(`the locked refund ${refund.id} was not found`);
  return begun;
}

async function tellOwners(
  tx: Tx,
  { merchantId, id, amount, paymentReference, accountName }: RefundRow,
  sender: string | null,
): Promise<void> {
  const sum = formatMoney(money(amount, "NGN"));
  const message = `The customer wants the refund of ${sum} of link ${paymentReference} in an account of ${accountName}. ${sender === null ? "The bank did not tell who paid." : "That is not the name that the payment came from."} An owner decides.`;
  await raiseAlert(tx, merchantId, { type: "refund.waiting", resourceId: paymentReference, cause: id, message });
}
