import { and, eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import type { CardholderState } from "#providers/issuer.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { OperatorContext } from "../../context.ts";
import { appendEvent } from "../../events/index.ts";
import { verb } from "../../verb.ts";
import { type Cardholder, cardholderFromRow } from "../cardholder.ts";
import { presentCardholder } from "../present.ts";

export type Decision = Exclude<CardholderState["kyc"], { status: "PENDING" }> | { status: "APPROVED" };

type CardholderKey = Pick<Cardholder, "merchantId" | "id">;

/**
 * Decides the KYC of a cardholder as an operator, if the issuer has not. Returns false if there is no such cardholder, or it is decided
 * already.
 */
export const decideKyc = verb(
  { actor: ["operator"], operatorRole: "support" },
  async (ctx: OperatorContext, cardholder: CardholderKey, decision: Decision): Promise<boolean> => {
    const { merchantId, id } = cardholder;
    return transaction(async (tx) => {
      if (!(await recordDecision(tx, cardholder, decision))) return false;
      await noteInAudit(tx, ctx, {
        ...{
          merchantId,
          action: "cardholder.decided",
          subject: String(id),
          reason: decision.status === "REJECTED" ? decision.reason : null,
        },
        ...{ before: { kyc_status: "PENDING" }, after: { kyc_status: decision.status } },
      });
      return true;
    });
  },
);

/** Records the first decision, by the issuer or by an operator. Returns false, and changes nothing, if there was one before. */
export async function recordDecision(tx: Tx, { merchantId, id }: CardholderKey, decision: Decision): Promise<boolean> {
  const [decided] = await tx
    .update(cardholders)
    .set({
      kycStatus: decision.status,
      kycRejectionReason: decision.status === "REJECTED" ? decision.reason : null,
      // If the issuer has not answered yet, a check stays due, because the worker must still read the issuer's reference.
      nextCheckAt: sql`case when provider_reference is null then next_check_at end`,
    })
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), eq(cardholders.kycStatus, "PENDING")))
    .returning();
  if (!decided) return false;
  const type = decision.status === "APPROVED" ? "cardholder.kyc_approved" : "cardholder.kyc_rejected";
  await appendEvent(tx, merchantId, type, presentCardholder(cardholderFromRow(decided)));
  return true;
}
