import { type Tx, transaction } from "#db/client.ts";
import type { OperatorContext } from "./context.ts";

/** A proposal, as its act sees it. */
interface Approved {
  id: string;
  proposedBy: string;
  reason: string;
}

/** Says that a proposal is being carried out: who proposed it, and the transaction that decides it. Only services/proposals makes one. */
class Approval {
  readonly tx: Tx;
  readonly proposalId: string;
  /** The id of the user who proposed it. */
  readonly proposedBy: string;
  readonly reason: string;
  constructor(tx: Tx, { id, proposedBy, reason }: Approved) {
    this.tx = tx;
    this.proposalId = id;
    this.proposedBy = proposedBy;
    this.reason = reason;
  }
}

/** The context of a verb that one operator proposes and another one decides. The verb works in the approval's transaction. */
export interface ApprovedContext extends OperatorContext {
  approval: Approval;
}

/** Returns the context in which a decided proposal is carried out. `ctx` is that of the operator who decided it. */
export const withApproval = (ctx: OperatorContext, tx: Tx, proposal: Approved): ApprovedContext => ({
  ...ctx,
  approval: new Approval(tx, proposal),
});

/** Throws an Error unless a context comes from `withApproval`. A face that called the verb by itself is at fault. */
export function requireApproval(ctx: { approval?: unknown }): void {
  if (!(ctx.approval instanceof Approval)) throw new Error("a verb of two people was called by one");
}

/** The context of an act that takes two operators only in some cases. */
export type MaybeApproved = OperatorContext & Partial<Pick<ApprovedContext, "approval">>;

/** Runs an act in the transaction of its approval, or without one in its own. */
export const inItsTransaction = <T>({ approval }: MaybeApproved, run: (tx: Tx) => Promise<T>): Promise<T> =>
  approval ? run(approval.tx) : transaction(run);

/** Thrown to roll back an act that turns out to change nothing, once it has begun. */
export class NotCarriedOut extends Error {
  override name = "NotCarriedOut";
}
