import { Problem } from "#lib/problem.ts";
import type { Context, Merchant, MerchantContext } from "./context.ts";
import { type MemberPermission, mayRole } from "./members/contract.ts";
import { type ProofPurpose, requireProven } from "./proven.ts";

/** What the caller of a verb needs. */
export type Needs = MerchantNeeds | ActorNeeds;

/** For verbs of a merchant: its keys and members call them. */
export interface MerchantNeeds {
  permission: MemberPermission;
  /** A member proves again who they are, because the verb gives or takes rights or shows secrets. */
  proof?: ProofPurpose;
  /** The proof is needed in live mode only: in test mode the verb gives access to nothing real. */
  proofOnlyInLive?: true;
  /** The proof is a passkey, or the password with a code: the verb takes money out, so the password alone is not enough. */
  withSecondFactor?: true;
}

/**
 * For all other verbs. `operator`: Oja's own people, also by the command line. `system`: a job of the worker, or a notice of a provider. `anyone`: the
 * verb itself checks what the caller shows, such as a password or the token of a link.
 */
export interface ActorNeeds {
  actor: readonly ("operator" | "system" | "anyone")[];
}

/** A function of a service with its declared needs. Faces read the declaration, and the verb checks it for every caller. */
export type Verb<Ctx extends Context, Args extends unknown[], Result, N extends Needs = Needs> = ((
  ctx: Ctx,
  ...args: Args
) => Promise<Result>) & { needs: N };

type Caller = Context &
  Pick<Partial<MerchantContext>, "role" | "permissions" | "sessionId"> & { merchant?: Partial<Pick<Merchant, "mode">> };

/**
 * Makes a verb of a function that changes something, or that shows secrets or data which some roles may not see. The verb throws
 * PERMISSION_DENIED for a member or key without the permission. It throws an Error for a caller that the declaration does not name and for a
 * missing proof: these are bugs of a face.
 */
export function verb<Ctx extends Context, Args extends unknown[], Result, const N extends Needs>(
  needs: N,
  run: (ctx: Ctx, ...args: Args) => Promise<Result>,
): Verb<Ctx, Args, Result, N> {
  const checked = async (ctx: Ctx, ...args: Args): Promise<Result> => {
    if ("actor" in needs) requireActor(ctx, needs);
    else requireRights(ctx, needs);
    return run(ctx, ...args);
  };
  return Object.assign(checked, { needs });
}

/** The command line and jobs of the worker have all rights of a merchant. */
function requireRights(ctx: Caller, needs: MerchantNeeds): void {
  if (isJob(ctx) || ctx.actor.type === "cli") return;
  const { type } = ctx.actor;
  if (type !== "api_key" && type !== "member") throw new Error(`a verb of a merchant was called by ${type}`);
  if (!hasPermission(ctx, needs.permission)) throw new Problem("PERMISSION_DENIED", `This needs the permission ${needs.permission}.`);
  const proof = proofFor(needs, ctx.merchant);
  if (proof && type === "member") requireProven(ctx, proof, needs);
}

/** A key has the permissions of its context, and so has the worker where it acts as a member, without the member's role. */
function hasPermission({ role, permissions = [], merchant }: Caller, permission: MemberPermission): boolean {
  if (role === undefined) return permissions.some((given) => given === permission);
  return merchant?.mode !== undefined && mayRole(role, permission, merchant.mode);
}

/** Returns the purpose of the proof that a verb needs of a member in a mode, or undefined. */
export const proofFor = (
  { proof, proofOnlyInLive }: Omit<MerchantNeeds, "permission">,
  merchant: Caller["merchant"],
): ProofPurpose | undefined => (proofOnlyInLive && merchant?.mode === "test" ? undefined : proof);

/** A stranger's context names the system too, and is no job. */
const isJob = ({ actor, isJob: marked }: Context): boolean => actor.type === "system" && marked === true;

function requireActor(ctx: Context, { actor }: ActorNeeds): void {
  const { type } = ctx.actor;
  const is = { operator: type === "operator" || type === "cli", system: isJob(ctx), anyone: true };
  if (!actor.some((name) => is[name])) throw new Error(`a verb for ${actor.join(" or ")} was called by ${type}`);
}
