import { type Tx, transaction } from "#db/client.ts";
import { proposals } from "#db/schema/operators.ts";
import { newId } from "#lib/ids.ts";
import { invalid } from "#lib/problem.ts";
import { seal } from "#lib/sealed.ts";
import { DAY_MS } from "#lib/time.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import { NotCarriedOut, withApproval } from "../approval.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { requireDecider } from "../operators/index.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { verb } from "../verb.ts";
import { actOf, type PayloadOf, type ProposalKind, type Secrets } from "./kinds.ts";
import { type Proposal, proposalFromRow } from "./proposal.ts";

/** A proposal that is not decided within this time ends. */
const OPEN_FOR_MS = 7 * DAY_MS;

type NewProposal = { [K in ProposalKind]: { kind: K; payload: PayloadOf<K>; reason: string; secrets?: Secrets } }[ProposalKind];

/**
 * Proposes an act to the other operators, of whom one decides it. The act is rehearsed first: it is done in a transaction that is rolled back, so that what
 * cannot be done now is not proposed. Throws PERMISSION_DENIED for anybody who does not decide (`requireDecider`), and VALIDATION_ERROR as
 * the act does, for one that changes nothing, and where the same is proposed already. Locks: proposals of the kind, head of the platform's audit.
 */
export const propose = verb({ actor: ["operator"], named: true }, async (ctx: OperatorContext, given: NewProposal): Promise<Proposal> => {
  const reason = requireReason(given.reason);
  const act = actOf(given.kind, given.payload);
  const merchantId = await act.findMerchant();
  if (merchantId === undefined) throw invalid("proposal", act.nothing);
  const id = newId("proposal");
  const proposedBy = ctx.actor.id;
  await transaction((tx) => requireDecider(tx, ctx));
  await rehearse(async (tx) => act.carryOut(withApproval(ctx, tx, { id, proposedBy }), { reason, secrets: given.secrets ?? null }));
  return transaction(async (tx) => {
    const [row] = await tx
      .insert(proposals)
      .values({
        ...{ id, kind: given.kind, merchantId, subject: act.subject, payload: act.payload, reason, proposedBy },
        sealedSecrets: given.secrets ? seal("proposal", JSON.stringify(given.secrets), id) : null,
        expiresAt: new Date(Date.now() + OPEN_FOR_MS),
      })
      .onConflictDoNothing()
      .returning();
    if (!row) throw invalid("proposal", "This is proposed already. See: npm run oja -- proposals");
    const proposal = proposalFromRow(row);
    await raiseOperatorAlert(tx, "live", {
      ...{ type: "proposal.made", resourceId: id, cause: id },
      message: `${proposal.text} Another operator decides: npm run oja -- proposal ${id}`,
    });
    const after = { kind: given.kind, about: act.subject };
    await noteInAudit(tx, ctx, { ...{ businessId: PLATFORM_BUSINESS, action: "proposal.made", subject: id, reason }, after });
    return proposal;
  });
});

class Rehearsed extends Error {
  override name = "Rehearsed";
}

/** Runs an act and rolls it back. Throws VALIDATION_ERROR for one that changes nothing. */
async function rehearse(act: (tx: Tx) => Promise<void>): Promise<void> {
  await transaction(async (tx) => {
    await act(tx);
    throw new Rehearsed();
  }).catch((error: unknown) => {
    if (error instanceof NotCarriedOut) throw invalid("proposal", error.message);
    if (!(error instanceof Rehearsed)) throw error;
  });
}
