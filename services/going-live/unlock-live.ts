import { eq, sql } from "drizzle-orm";
import { preparing } from "#db/client.ts";
import { merchants } from "#db/schema/tenants.ts";
import { settings } from "#lib/env.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { type ApprovedContext, NotCarriedOut } from "../approval.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import { readMerchantsOf } from "../merchants/index.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { requireGreen } from "../providers/index.ts";
import { verb } from "../verb.ts";
import { liveBankNamed } from "./live-bank.ts";

/** Returns the bank of a merchant of live mode, for the operators who decide to unlock it. Undefined without one. */
export async function readBankToUnlock(merchantId: string): Promise<string | undefined> {
  const [merchant] = await readMerchantsOf([merchantId]);
  return merchant?.mode === "live" ? (merchant.bank ?? settings().OJA_LIVE_BANK) : undefined;
}

/**
 * Opens live mode for a merchant, so that operators can switch its areas on. Returns false if it is open already. Throws RESOURCE_NOT_FOUND, also for the platform itself, and
 * VALIDATION_ERROR for a merchant of test mode, without a bank, or whose bank has no green check of the last 24 hours. The reason goes to the audit.
 * `seenBank`: the bank that the operators have seen; another one opens nothing. Locks: merchant, head of the audit.
 */
export const unlockLive = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, merchantId: string, reason: string, seenBank?: string): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    const [locked] = await tx
      .select({ liveUnlockedAt: merchants.liveUnlockedAt })
      .from(merchants)
      .where(eq(merchants.id, merchantId))
      .for("no key update");
    const [merchant] = await readMerchantsOf([merchantId], preparing(tx));
    if (!(locked && merchant) || merchant.businessId === PLATFORM_BUSINESS) throw notFound("merchant");
    if (merchant.mode !== "live") throw invalid("merchant", "Name the merchant of live mode: test mode is always open.");
    const bank = merchant.bank ?? settings().OJA_LIVE_BANK;
    if (bank === undefined) throw invalid("merchant", `It has no bank. Choose one: npm run oja -- set-bank ${merchantId} BANK`);
    if (seenBank !== undefined && bank !== seenBank)
      throw new NotCarriedOut(`The bank of ${merchantId} is ${bank} by now, not ${seenBank}.`);
    liveBankNamed(bank);
    await requireGreen(bank, tx);
    if (locked.liveUnlockedAt !== null) return false;
    await tx.update(merchants).set({ liveUnlockedAt: sql`now()` }).where(eq(merchants.id, merchantId));
    await noteInAudit(tx, ctx, { merchantId, action: "live.unlocked", subject: merchantId, reason: why, after: { bank } });
    return true;
  },
);
