import type { proofPurpose } from "#db/schema/two-factor.ts";
import type { MemberContext } from "./context.ts";

/** The purposes for which a member gives a proof again. A proof for one purpose does not count for another. */
export type ProofPurpose = (typeof proofPurpose.enumValues)[number];

/** Says that a member has proved again, in this request, who they are. Only `requireProof` of services/users makes one for a request. */
class Proven<Purpose extends ProofPurpose> {
  readonly purpose: Purpose;
  readonly sessionId: string;
  readonly hasSecondFactor: boolean;
  constructor(purpose: Purpose, sessionId: string, hasSecondFactor: boolean) {
    this.purpose = purpose;
    this.sessionId = sessionId;
    this.hasSecondFactor = hasSecondFactor;
  }
}

/**
 * The context of a verb that gives or takes rights, or shows secrets: the member has proved again who they are. The type keeps a caller from
 * forgetting the proof, and `requireProven` refuses one for another purpose or session.
 */
export interface ProvenContext<Purpose extends ProofPurpose> extends MemberContext {
  proven: Proven<Purpose>;
}

/** Returns the context of a member whose proof for a purpose was right: with the password, or with a second factor. */
export const withProof = <Purpose extends ProofPurpose>(
  ctx: MemberContext,
  purpose: Purpose,
  { hasSecondFactor }: { hasSecondFactor: boolean } = { hasSecondFactor: false },
): ProvenContext<Purpose> => ({ ...ctx, proven: new Proven(purpose, ctx.sessionId, hasSecondFactor) });

/** Throws an Error unless the context has the proof of its member, in this session, for a purpose. A face that asked for none is at fault. */
export function requireProven(
  ctx: { sessionId?: string | undefined; proven?: unknown },
  purpose: ProofPurpose,
  { withSecondFactor = false }: { withSecondFactor?: boolean | undefined } = {},
): void {
  const { proven, sessionId } = ctx;
  const isProven = proven instanceof Proven && proven.purpose === purpose && proven.sessionId === sessionId;
  if (!isProven || (withSecondFactor && !proven.hasSecondFactor)) {
    throw new Error(`a verb that needs a proof for ${purpose} was called without one`);
  }
}
