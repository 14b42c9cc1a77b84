import { eq, inArray, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { proposals } from "#db/schema/operators.ts";
import { users } from "#db/schema/tenants.ts";
import { invalid, notFound, Problem } from "#lib/problem.ts";
import { open } from "#lib/sealed.ts";
import { NotCarriedOut, withApproval } from "../approval.ts";
import { noteInAudit, requireReason } from "../audit/index.ts";
import type { OperatorContext } from "../context.ts";
import { lockBusiness } from "../members/index.ts";
import { requireDecider } from "../operators/index.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { verb } from "../verb.ts";
import { actOf, secretsFrom } from "./kinds.ts";
import { type Proposal, type ProposalRow, proposalFromRow } from "./proposal.ts";

/**
 * Approves a proposal of another operator, and carries it out in the same transaction, after its conditions are looked at again. So two who approve at
 * once carry it out once. Throws RESOURCE_NOT_FOUND; PERMISSION_DENIED for one's own, and for anybody who does not decide; and VALIDATION_ERROR for one that is
 * decided or too old, whose proposer decides no more, or whose conditions do not hold any more. It then stays open. Locks: proposal, the platform's business,
 * the two people, then as its act does, then the head of the platform's audit.
 */
export const approve = verb(
  { actor: ["operator"], named: true },
  (ctx: OperatorContext, id: string): Promise<Proposal> =>
    decided(async (tx) => {
      const row = await lockOpen(tx, id);
      await lockOperators(tx, [row.proposedBy, ctx.actor.id]);
      await requireDecider(tx, ctx);
      if (row.proposedBy === ctx.actor.id)
        throw new Problem("PERMISSION_DENIED", "You have proposed this yourself. Another operator decides.");
      await carryOut(tx, ctx, row);
      return store(tx, ctx, row, { state: "carried_out", decidedBy: ctx.actor.id });
    }),
);

/** Refuses a proposal, or cancels one's own. Nothing is done. Throws as `approve` does, but for its conditions. Locks: proposal, head of the platform's audit. */
export const refuse = verb({ actor: ["operator"], named: true }, (ctx: OperatorContext, id: string, reason: string): Promise<Proposal> => {
  const decisionReason = requireReason(reason);
  return transaction(async (tx) => {
    const row = await lockOpen(tx, id);
    const isOwn = row.proposedBy === ctx.actor.id;
    // The proposer may cancel it, also one who decides nothing any more.
    if (!isOwn) await requireDecider(tx, ctx);
    return store(tx, ctx, row, { state: isOwn ? "cancelled" : "refused", decidedBy: ctx.actor.id, decisionReason });
  });
});

/** Runs a decision in a transaction. Throws VALIDATION_ERROR where its act turns out to change nothing. */
export const decided = <T>(decide: (tx: Tx) => Promise<T>): Promise<T> =>
  transaction(decide).catch((error: unknown) => {
    if (error instanceof NotCarriedOut) throw invalid("proposal", error.message);
    throw error;
  });

async function lockOpen(tx: Tx, id: string): Promise<ProposalRow> {
  const [row] = await tx.select().from(proposals).where(eq(proposals.id, id)).for("update");
  if (!row) throw notFound("proposal");
  requireOpen(row);
  return row;
}

const ENDS: Record<Exclude<ProposalRow["state"], "open">, string> = {
  carried_out: "It is carried out already.",
  refused: "It was refused.",
  cancelled: "It was cancelled.",
  expired: "It has expired. Propose it again.",
};

export function requireOpen({ state, expiresAt }: Pick<ProposalRow, "state" | "expiresAt">): void {
  if (state !== "open") throw invalid("proposal", ENDS[state]);
  if (expiresAt <= new Date()) throw invalid("proposal", ENDS.expired);
}

/**
 * Locks who is an operator, and then people, in the order of their ids: a removal waits for a decision, or the decision sees it. One decision is made after
 * another, so that two which are about the same operators do not lock each other out.
 */
export async function lockOperators(tx: Tx, userIds: string[]): Promise<void> {
  await lockBusiness(tx, PLATFORM_BUSINESS);
  const isOne = inArray(users.id, [...new Set(userIds)]);
  await tx.select({ id: users.id }).from(users).where(isOne).orderBy(users.id).for("key share");
}

/** Does what a locked proposal says. `ctx` is that of the operator whose word it is in the audit. Throws `NotCarriedOut` where it changes nothing. */
export async function carryOut(
  tx: Tx,
  ctx: OperatorContext,
  { id, kind, payload, reason, proposedBy, sealedSecrets }: ProposalRow,
): Promise<void> {
  const proposer: OperatorContext = { actor: { type: "operator", id: proposedBy }, requestId: null, address: null };
  await requireDecider(tx, proposer).catch((error: unknown) => {
    if (error instanceof Problem)
      throw invalid("proposal", "Its proposer does not decide any more. Refuse it, and propose it yourself if it is right.");
    throw error;
  });
  const secrets = sealedSecrets === null ? null : secretsFrom(open("proposal", sealedSecrets, id));
  await actOf(kind, payload).carryOut(withApproval(ctx, tx, { id, proposedBy, reason }), { reason, secrets });
}

type Decision = Pick<ProposalRow, "state" | "decidedBy"> & Partial<Pick<ProposalRow, "decisionReason" | "isAlone">>;

/** Stores how a locked proposal ended. Locks the head of the platform's audit. */
export async function store(tx: Tx, ctx: Parameters<typeof noteInAudit>[1], row: ProposalRow, decision: Decision): Promise<Proposal> {
  const [after] = await tx
    .update(proposals)
    .set({ ...decision, decidedAt: sql`now()`, sealedSecrets: null })
    .where(eq(proposals.id, row.id))
    .returning();
  if (!after) throw new Error(`proposal ${row.id} is gone`);
  await noteInAudit(tx, ctx, {
    ...{ businessId: PLATFORM_BUSINESS, action: `proposal.${decision.state}`, subject: row.id, reason: decision.decisionReason ?? null },
    after: { kind: row.kind, about: row.subject, proposed_by: row.proposedBy, alone: decision.isAlone === true },
  });
  return proposalFromRow(after);
}
