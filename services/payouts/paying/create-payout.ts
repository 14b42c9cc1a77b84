import { type Tx, transaction } from "#db/client.ts";
import type { Money } from "#lib/money.ts";
import { newPayoutId } from "#lib/references.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { PayoutBank } from "#providers/payout-bank.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import type { Metadata } from "../../fields.ts";
import { assertLease } from "../../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { finalOutcome, MAX_CLAIM_TO_CALL_MS } from "../../money-out.ts";
import { payoutBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { orderOf, type Payout, type PayoutRow, payoutFromRow } from "../payout.ts";
import { findPayoutRow } from "../rows.ts";
import { claimPayout } from "./claim-payout.ts";
import { settle } from "./settle.ts";

/** A merchant's order to pay money out. */
export interface WantedPayout {
  bankAccountId: string;
  /** Naira that shall arrive. */
  amount: Money;
  narration?: string | undefined;
  metadata?: Metadata | undefined;
  /** Naira with the fee, as the caller was shown it. */
  expectedTotal?: Money | undefined;
  /** For an automatic payout: its day in Lagos, and the begin of the rules by which its amount was computed. */
  automaticFor?: string;
  byRulesOf?: Date | null;
}

/**
 * Pays out once. The money is held and the payout stored before the bank is asked, and no lock is kept during the call. Without a final answer the payout
 * stays `processing` and the worker reads its outcome: a second order could pay twice. Throws PROVIDER_UNAVAILABLE, in live mode PERMISSION_DENIED while
 * the member is restricted, and as `claimPayout`, each before a payout is stored.
 */
export const createPayout = verb(
  { permission: "payouts:write", proof: "pay_out", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, wanted: WantedPayout): Promise<Payout> => {
    return payOnce(ctx, (tx, bank, id) => claimPayout(tx, ctx.merchant, bank, { ...wanted, id, madeBy: madeBy(ctx) }));
  },
);

type Claim = (tx: Tx, bank: PayoutBank, id: string) => Promise<PayoutRow>;

/** Claims a payout in a transaction, asks the bank once, and settles its answer. A resumed request finds the payout that its first try has stored. */
export async function payOnce(ctx: MerchantContext, claim: Claim): Promise<Payout> {
  const elapsedMs = startStopwatch();
  const id = ctx.resourceId ?? newPayoutId(ctx.merchant.number);
  const begun = ctx.resumed ? await findPayoutRow({ merchantId: ctx.merchant.id, id }) : undefined;
  if (begun) return payoutFromRow(begun);
  await requireUnrestrictedInLive(ctx);
  const bank = payoutBanks.for(ctx.merchant);
  const payout = await transaction(async (tx) => {
    await assertLease(tx, ctx);
    const claimed = await claim(tx, bank, id);
    // Under the merchant's lock, which the denial of a thief's changes takes too: it may have come meanwhile.
    await requireUnrestrictedInLive(ctx, tx);
    return claimed;
  });
  // The claim may have waited for a long time. After this deadline the worker may already have failed the payout as never ordered.
  if (elapsedMs() < MAX_CLAIM_TO_CALL_MS) await ask(bank, payout);
  return payoutFromRow((await findPayoutRow(payout)) ?? payout);
}

async function ask(bank: PayoutBank, payout: PayoutRow): Promise<void> {
  const final = finalOutcome(await bank.pay(orderOf(payout)));
  if (final) await settle(payout, final, payout.fencingToken);
}
