import { and, eq, gt, inArray } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { payoutRules } from "#db/schema/payouts.ts";
import { members } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import { noteInAudit } from "../../audit/index.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import { markExecuted } from "../../idempotency/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import { holdBankAccount, lockMerchant, validFromAfterLast } from "../rows.ts";
import { WAIT_MS } from "../schedule.ts";
import { readNextRules, readRules } from "./read-rules.ts";
import { areSame, type ChosenRules, figuresOfRules, tightened } from "./tighten.ts";

/**
 * Sets the business's rules for payouts. The part that allows no more than before begins at once. The rest begins in live mode 24 h later, and in test
 * mode at once. Rules that waited are replaced. Throws VALIDATION_ERROR for an account that cannot be paid to, and for a sum for two people in a
 * business that has only one; and in live mode PERMISSION_DENIED while the member is restricted.
 */
export const setPayoutRules = verb(
  { permission: "settings:write", proof: "manage_payouts", proofOnlyInLive: true, withSecondFactor: true },
  async (ctx: MerchantContext, wanted: ChosenRules): Promise<void> => {
    await requireUnrestrictedInLive(ctx);
    const { id: merchantId, mode } = ctx.merchant;
    await transaction(async (tx) => {
      await markExecuted(tx, ctx);
      const { at } = await lockMerchant(tx, merchantId);
      await requireUnrestrictedInLive(ctx, tx);
      await requirePossible(tx, ctx, wanted);
      const before = await readRules(tx, merchantId, at);
      const waited = await readNextRules(tx, merchantId, at);
      const atOnce = mode === "live" ? tightened(before, wanted) : wanted;
      if (waited) await tx.delete(payoutRules).where(and(eq(payoutRules.merchantId, merchantId), gt(payoutRules.validFrom, at)));
      if (!areSame(before, atOnce)) await store(tx, ctx, atOnce, at);
      if (!areSame(atOnce, wanted)) await store(tx, ctx, wanted, new Date(at.getTime() + WAIT_MS));
      if (areSame(waited ?? before, wanted)) return;
      await noteInAudit(tx, ctx, {
        ...{ merchantId, action: "payout_rules.changed", subject: merchantId },
        ...{ before: figuresOfRules(before), after: { ...figuresOfRules(wanted), waits: !areSame(atOnce, wanted) } },
      });
    });
  },
);

async function requirePossible(tx: Tx, { merchant }: MerchantContext, { automaticAccountId, automatic, twoPeopleAbove }: ChosenRules) {
  if ((automatic === null) !== (automaticAccountId === null))
    throw invalid("automatic_account_id", "Choose the account for automatic payouts.");
  if (automaticAccountId !== null) {
    const { removedAt } = await holdBankAccount(tx, merchant.id, automaticAccountId);
    if (removedAt !== null) throw invalid("automatic_account_id", "This account was removed. Choose another one.");
  }
  if (twoPeopleAbove === null) return;
  const leaders = await tx.$count(members, and(eq(members.businessId, merchant.businessId), inArray(members.role, ["owner", "admin"])));
  if (leaders < 2) throw invalid("two_people_above", "Two people must be owner or admin for this. Invite another one first.");
}

/** Stores rules that begin at a time. Two changes within a millisecond begin one after the other. */
async function store(tx: Tx, ctx: MerchantContext, rules: ChosenRules, from: Date): Promise<void> {
  const { merchant } = ctx;
  const { automatic, automaticAccountId, automaticReserve, maxAmount, maxADay, twoPeopleAbove } = rules;
  const validFrom = await validFromAfterLast(tx, payoutRules, merchant.id, from);
  await tx.insert(payoutRules).values({
    ...{ merchantId: merchant.id, automatic, automaticAccountId, automaticReserve: automaticReserve.minor, madeBy: madeBy(ctx) },
    ...{ maxAmount: maxAmount?.minor, maxADay: maxADay?.minor, twoPeopleAbove: twoPeopleAbove?.minor },
    validFrom,
  });
}
