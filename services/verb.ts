import { Problem } from "#lib/problem.ts";
import { requireApproval } from "./approval.ts";
import type { Context, Merchant, MerchantContext, Role } from "./context.ts";
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
  /** The least of the roles that an operator needs: by default `admin`, so that owners and admins call it. */
  operatorRole?: "admin" | "support" | "viewer";
  /** The operator has said who they are, because two people must be two. */
  named?: true;
  /** Only a proposal that a second operator decides calls it (services/proposals). */
  approved?: true;
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

function requireActor(ctx: Caller & { approval?: unknown }, { actor, operatorRole = "admin", named, approved }: ActorNeeds): void {
  const { type } = ctx.actor;
  const is = { operator: type === "operator" || (type === "cli" && !named), system: isJob(ctx), anyone: true };
  if (!actor.some((name) => is[name])) throw new Error(`a verb for ${actor.join(" or ")} was called by ${type}`);
  if (approved) requireApproval(ctx);
  if (type === "operator" && !mayOperate(ctx.role, operatorRole))
    throw new Problem("PERMISSION_DENIED", `Your role is ${ctx.role}. Ask an operator who is ${OPERATOR_ROLES[operatorRole]}.`);
}

/** The roles of operators that may do what needs a least role, in words. */
const OPERATOR_ROLES = { admin: "an owner or admin", support: "an owner, an admin or in support", viewer: "a member" };

const MAY_OPERATE: Record<keyof typeof OPERATOR_ROLES, readonly Role[]> = {
  admin: ["owner", "admin"],
  support: ["owner", "admin", "support"],
  viewer: ["owner", "admin", "support", "viewer"],
};

const mayOperate = (role: Role | undefined, least: keyof typeof OPERATOR_ROLES): boolean =>
  role !== undefined && MAY_OPERATE[least].includes(role);
