import { and, desc, eq, isNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { payoutRequests, payouts } from "#db/schema/payouts.ts";
import { members } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { raiseAlert } from "../../alerts/index.ts";
import { noteInAudit } from "../../audit/index.ts";
import { actorOf, type MerchantContext, madeBy } from "../../context.ts";
import { markExecuted } from "../../idempotency/index.ts";
import { mayRole, requireUnrestrictedInLive } from "../../members/index.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { claimPayout, requireWithinBank, requireWithinLimits, usableAccount } from "../paying/claim-payout.ts";
import { payOnce } from "../paying/create-payout.ts";
import type { Payout } from "../payout.ts";
import { type PayoutRequest, type RequestRow, requestFromRow } from "../payout-request.ts";
import { holdBankAccount, lockMerchant } from "../rows.ts";
import { readLimits } from "../rules/limits.ts";
import { readRules } from "../rules/read-rules.ts";
import { REQUEST_LASTS_MS } from "../schedule.ts";
import { requireLongInRole } from "./require-long-in-role.ts";

const MAX_OPEN = 20;

/**
 * Asks a second person for a payout above the business's sum for two people. Holds no money. It is open for 7 days. Throws RESOURCE_NOT_FOUND,
 * VALIDATION_ERROR (an account that cannot be paid to, 20 open requests) and LIMIT_EXCEEDED, and in live mode PERMISSION_DENIED while the member is
 * restricted.
 */
export const requestPayout = verb(
  { permission: "payouts:write", proof: "pay_out", proofOnlyInLive: true, withSecondFactor: true },
  async (
    ctx: MerchantContext,
    wanted: { bankAccountId: string; amount: Money; narration?: string | undefined },
  ): Promise<PayoutRequest> => {
    await requireUnrestrictedInLive(ctx);
    const { merchant } = ctx;
    const bank = payoutBanks.for(merchant);
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const { at } = await lockMerchant(tx, merchant.id);
      await requireUnrestrictedInLive(ctx, tx);
      const account = await usableAccount(tx, merchant.id, bank, wanted.bankAccountId);
      requireWithinBank(bank, wanted.amount);
      const [limits, rules] = [await readLimits(tx, merchant), await readRules(tx, merchant.id, at)];
      await requireWithinLimits(tx, merchant, { limits, rules }, { amount: wanted.amount, approval: "asked for" });
      await requireRoom(tx, merchant.id);
      const row = await store(tx, ctx, wanted);
      const sum = formatMoney(wanted.amount);
      const message = `A colleague wants to send ${sum} to ${account.bankName} ••${account.accountNumber.slice(-4)}. A second owner or admin decides.`;
      await raiseAlert(tx, merchant.id, { type: "payout.waiting", resourceId: row.id, cause: row.id, message });
      await noteInAudit(tx, ctx, {
        ...{ merchantId: merchant.id, action: "payout_request.made", subject: row.id },
        after: { amount: String(row.amount), bank_account: row.bankAccountId },
      });
      return requestFromRow(row);
    });
  },
);

async function requireRoom(tx: Tx, merchantId: string): Promise<void> {
  const open = await tx.$count(
    payoutRequests,
    and(eq(payoutRequests.merchantId, merchantId), isNull(payoutRequests.decision), sql`${payoutRequests.expiresAt} > now()`),
  );
  if (open >= MAX_OPEN) throw invalid("amount", `${MAX_OPEN} requests wait already. Decide about them first.`);
}

async function store(
  tx: Tx,
  ctx: MerchantContext,
  { bankAccountId, amount, narration }: { bankAccountId: string; amount: Money; narration?: string | undefined },
): Promise<RequestRow> {
  const [row] = await tx
    .insert(payoutRequests)
    .values({
      ...{ merchantId: ctx.merchant.id, id: ctx.resourceId ?? newId("payoutRequest"), bankAccountId, amount: amount.minor, narration },
      ...{ madeBy: madeBy(ctx), expiresAt: sql`now() + ${REQUEST_LASTS_MS} * interval '1 ms'` },
    })
    .returning();
  if (!row) throw new Error("an insert without a conflict returned no row");
  return row;
}

const isRequest = (merchantId: string, id: string) => and(eq(payoutRequests.merchantId, merchantId), eq(payoutRequests.id, id));

/** Locks a request that is open, after its merchant. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for one that is decided or expired. */
async function lockOpen(tx: Tx, { merchant }: MerchantContext, id: string): Promise<RequestRow> {
  const [row] = await tx.select().from(payoutRequests).where(isRequest(merchant.id, id)).for("update");
  if (!row) throw notFound("request");
  const { state } = requestFromRow(row);
  if (state === "open") return row;
  throw invalid("id", state === "expired" ? "This request is older than 7 days. Ask again." : `This request was ${state} already.`);
}

/**
 * Locks merchant, account and request in this order, the request as `lockOpen`. The denial of a thief's changes locks accounts before requests too, so
 * no deadlock ends one of both.
 */
async function lockAfterAccount(tx: Tx, ctx: MerchantContext, id: string): Promise<RequestRow> {
  await lockMerchant(tx, ctx.merchant.id);
  const [named] = await tx.select({ account: payoutRequests.bankAccountId }).from(payoutRequests).where(isRequest(ctx.merchant.id, id));
  if (!named) throw notFound("request");
  await holdBankAccount(tx, ctx.merchant.id, named.account);
  return lockOpen(tx, ctx, id);
}

/** Throws VALIDATION_ERROR if the person who made a request may not pay out any more: then one person alone would decide. */
async function requireAuthor(tx: Tx, { merchant }: MerchantContext, { madeBy: author }: RequestRow): Promise<void> {
  const [member] = await tx
    .select({ role: members.role })
    .from(members)
    .where(and(eq(members.businessId, merchant.businessId), eq(members.userId, actorOf(author).id)));
  if (member && mayRole(member.role, "payouts:write", merchant.mode)) return;
  throw invalid("id", "The person who asked for it may not pay out any more. Decline it, and ask for it yourself.");
}

async function decide(tx: Tx, ctx: MerchantContext, { merchantId, id }: RequestRow, decision: "approved" | "declined" | "withdrawn") {
  await tx
    .update(payoutRequests)
    .set({ decision, decidedBy: madeBy(ctx), decidedAt: sql`now()` })
    .where(isRequest(merchantId, id));
}

/**
 * Pays a requested payout out, as the second person. Account, limits and balance are checked again. Throws PERMISSION_DENIED for the person who made the
 * request, in live mode if one of both joined or got another role within 24 h, and as `requestPayout` and `createPayout`.
 */
export const approvePayout = verb(
  { permission: "payouts:write", proof: "pay_out", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, requestId: string): Promise<Payout> =>
    payOnce(ctx, async (tx, bank, id) => {
      const request = await lockAfterAccount(tx, ctx, requestId);
      const approvedBy = madeBy(ctx);
      if (request.madeBy === approvedBy) throw new Problem("PERMISSION_DENIED", "You made this request. Another owner or admin decides.");
      await requireAuthor(tx, ctx, request);
      await requireLongInRole(tx, ctx, [ctx.actor, actorOf(request.madeBy)]);
      await decide(tx, ctx, request, "approved");
      const { bankAccountId, amount, narration, madeBy: author } = request;
      return claimPayout(tx, ctx.merchant, bank, {
        ...{ id, bankAccountId, amount: money(amount, "NGN"), narration: narration ?? undefined, madeBy: author },
        approval: { requestId, approvedBy },
      });
    }),
);

/** Declines a requested payout, or withdraws one's own. Throws RESOURCE_NOT_FOUND, and VALIDATION_ERROR for one that is decided or expired. */
export const declinePayout = verb(
  { permission: "payouts:write" },
  async (ctx: MerchantContext, requestId: string): Promise<PayoutRequest> => {
    return transaction(async (tx) => {
      await markExecuted(tx, ctx);
      await lockMerchant(tx, ctx.merchant.id);
      const request = await lockOpen(tx, ctx, requestId);
      const decision = request.madeBy === madeBy(ctx) ? "withdrawn" : "declined";
      await decide(tx, ctx, request, decision);
      await noteInAudit(tx, ctx, { merchantId: ctx.merchant.id, action: `payout_request.${decision}`, subject: requestId });
      return requestFromRow({ ...request, decision, decidedBy: madeBy(ctx), decidedAt: new Date() });
    });
  },
);

/** Returns a request, with the payout that came of it. Throws RESOURCE_NOT_FOUND. */
export async function getPayoutRequest({ merchant }: MerchantContext, id: string): Promise<PayoutRequest> {
  const [row] = await db().select().from(payoutRequests).where(isRequest(merchant.id, id));
  if (!row) throw notFound("request");
  const [payout] = await db()
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(eq(payouts.merchantId, merchant.id), eq(payouts.requestId, id)));
  return requestFromRow(row, payout?.id ?? null);
}

/** Returns the requests that wait for a decision, newest first. There are at most 20. */
export async function listOpenRequests({ merchant }: MerchantContext): Promise<PayoutRequest[]> {
  const rows = await db()
    .select()
    .from(payoutRequests)
    .where(and(eq(payoutRequests.merchantId, merchant.id), isNull(payoutRequests.decision), sql`${payoutRequests.expiresAt} > now()`))
    .orderBy(desc(payoutRequests.id));
  return rows.map((row) => requestFromRow(row));
}
