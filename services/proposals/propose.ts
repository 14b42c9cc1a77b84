import { and, eq, lte, sql } from "drizzle-orm";
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
import { store } from "./decide.ts";
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
  const asked = actOf(given.kind, given.payload);
  const act = actOf(given.kind, await asked.withState());
  const merchantId = await act.findMerchant();
  if (merchantId === undefined) throw invalid("proposal", act.nothing);
  const id = newId("proposal");
  const proposedBy = ctx.actor.id;
  await rehearse(async (tx) => {
    await requireDecider(tx, ctx);
    await act.carryOut(withApproval(ctx, tx, { id, proposedBy, reason }), { reason, secrets: given.secrets ?? null });
  });
  return transaction(async (tx) => {
    await expireOverdue(tx, ctx, given.kind, act.subject);
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

/** Ends an open proposal of a kind about a thing that is too old, so that the same can be proposed again before the worker ends it. */
async function expireOverdue(tx: Tx, ctx: OperatorContext, kind: string, subject: string): Promise<void> {
  const isOverdue = and(
    ...[eq(proposals.kind, kind), eq(proposals.subject, subject)],
    eq(proposals.state, "open"),
    lte(proposals.expiresAt, sql`now()`),
  );
  const [row] = await tx.select().from(proposals).where(isOverdue).for("update");
  if (row) await store(tx, ctx, row, { state: "expired", decidedBy: null });
}

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
