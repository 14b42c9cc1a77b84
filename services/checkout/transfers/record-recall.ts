import { and, eq } from "drizzle-orm";
import { bankTransfers } from "#db/schema/checkout.ts";
import { formatMoney, money } from "#lib/money.ts";
import { invalid } from "#lib/problem.ts";
import type { ApprovedContext } from "../../approval.ts";
import { noteInAudit, requireReason } from "../../audit/index.ts";
import { verb } from "../../verb.ts";
import { findLinkRow, lockLink } from "../rows.ts";
import { recall } from "./receive-follow-up.ts";

export interface Recalled {
  /** What the bank said. */
  reason: string;
  /** The bank took the money besides what our own refunds sent back. */
  besidesRefunds?: boolean | undefined;
}

/**
 * Books that a bank took a payment back, as an operator says, who has asked the bank: some banks do not tell it from refunds. The reason goes to the
 * audit. Returns false if the merchant has no such link. Throws VALIDATION_ERROR for a link whose payment is not there to be taken, and for one that we
 * have refunded, unless `besidesRefunds` says that the bank took the money once more. Locks: link, transfer, ledger accounts, event counter, head of the
 * audit.
 */
export const recordRecall = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, merchantId: string, linkId: string, { reason, besidesRefunds }: Recalled): Promise<boolean> => {
    const why = requireReason(reason);
    const { tx } = ctx.approval;
    if (!(await findLinkRow(tx, merchantId, linkId))) return false;
    const link = await lockLink(tx, merchantId, linkId);
    const [accepted] = await tx
      .select()
      .from(bankTransfers)
      .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.linkId, linkId), eq(bankTransfers.disposition, "accepted")))
      .for("update");
    if (!accepted) throw invalid("link", "No payment of this link is there: it was not paid, or was taken back already.");
    const sentBack = link.refundedAmount + link.refundingAmount;
    if (sentBack > 0n && !besidesRefunds) {
      const sum = formatMoney(money(sentBack, link.currency));
      throw invalid(
        "link",
        `Our own refunds sent ${sum} of it back, which a bank may call a reversal. If the bank took the money besides that, say so: --besides-refunds.`,
      );
    }
    await recall(tx, accepted);
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "payment.recalled", subject: linkId, reason: why },
      after: { amount: String(accepted.amount), link: link.reference },
    });
    return true;
  },
);
