/** The author of an act: a key, a member or an operator by its id, the command line, or a job of the worker by its name. */
export interface Actor {
  type: "api_key" | "member" | "operator" | "cli" | "system";
  id: string;
}

/** The author of an audited act. An invited person is named by the id of the invitation: declining it needs no account. */
export interface Author {
  type: Actor["type"] | "invited";
  id: string;
}

/** The author of an act, and the request that it comes from. Every verb of a service takes a context as its first argument. */
export interface Context {
  actor: Actor;
  /** Null outside of a request. */
  requestId: string | null;
  /** The address that the request came from. Null outside of a request. */
  address: string | null;
  /** The worker or a notice of a provider calls. Only `systemContext` sets it: a stranger's context names the system too. */
  isJob?: true;
}

/** Returns the author of an act in the form of the `made_by` columns: `api_key:key_…`. */
export const madeBy = ({ actor }: Context): string => `${actor.type}:${actor.id}`;

/** Returns the author that a `made_by` column names. */
export function actorOf(text: string): Actor {
  const at = text.indexOf(":");
  return { type: text.slice(0, at) as Actor["type"], id: text.slice(at + 1) };
}

/** The roles of members, from the one that may do most. */
export type Role = "owner" | "admin" | "developer" | "support" | "viewer";

/** The context of verbs for one merchant, whose id every query must name. */
export interface MerchantContext extends Context {
  merchant: Merchant;
  /** The role of the member who acts. Absent where a key or the system acts. */
  role?: Role;
  /** The session of that member. */
  sessionId?: string;
  /** The permissions of the key that acts (services/permissions.ts). Absent where a member or the system acts. */
  permissions?: readonly string[];
  /** With an Idempotency-Key: the id that the claim chose for the request's resource. */
  resourceId?: string;
  /** With an Idempotency-Key: the lease of this request. Verbs that store the resource call `assertLease(tx, ctx)`. */
  lease?: { scope: string; key: string; lockedUntil: string };
  /** An earlier attempt with this key ended without an answer. Verbs finish its work instead of repeating it. */
  resumed?: boolean;
  /** An earlier attempt with this key has executed, and ended without an answer (`markExecuted`). */
  isExecuted?: boolean;
}

/** The context of a member who is signed in. */
export interface MemberContext extends MerchantContext {
  actor: { type: "member"; id: string };
  role: Role;
  sessionId: string;
}

/** As `MerchantContext`, for verbs that need only the merchant's id and mode. */
export interface TenantContext extends Context, Pick<MerchantContext, "role" | "resourceId" | "lease" | "resumed" | "isExecuted"> {
  merchant: Pick<Merchant, "id" | "mode">;
}

/** The context of verbs for a business in both modes. */
export interface BusinessContext extends Context, Pick<MerchantContext, "lease"> {
  businessId: string;
  /** The merchant whose request this is, if it is one. */
  merchant?: Pick<Merchant, "id">;
}

/** The context of operators' verbs. They take the merchant's id as an argument. */
export interface OperatorContext extends Context {
  /** `operator` names a user. `cli` is somebody at the command line who has not said who. */
  actor: { type: "operator" | "cli"; id: string };
  /** The role of the operator. Absent at the command line without a name, which does what one person may do. */
  role?: Role;
}

/** The context of work without a request of ours: sweeps of the worker, and notices of providers. */
export interface SystemContext extends Context {
  actor: { type: "system"; id: string };
  isJob: true;
}

/** Returns the context of a job, by its name. */
export const systemContext = (job: string): SystemContext => ({
  actor: { type: "system", id: job },
  isJob: true,
  requestId: null,
  address: null,
});

/** Returns the context of a person without an account here, by the kind of request: a payer, or somebody who is not signed in. */
export const strangerContext = (
  kind: string,
  from: Pick<Context, "requestId" | "address"> = { requestId: null, address: null },
): Context => ({
  actor: { type: "system", id: kind },
  requestId: from.requestId,
  address: from.address,
});

export type Area = "checkout" | "cards" | "vtu";

/** One mode of a business, with the fields that a request needs. */
export interface Merchant {
  id: string;
  /** Names the merchant in references, hidden (lib/references). */
  number: number;
  businessId: string;
  businessName: string;
  mode: "test" | "live";
  status: "active" | "suspended";
  /** Whether the merchant of the other mode of the business is suspended. */
  isOtherModeSuspended: boolean;
  requestsPerSecond: number;
  requestBurst: number;
  areas: Area[];
  /** The bank provider's name, if one is bound. */
  bank: string | null;
  /** The aggregator's name, if one is bound. */
  aggregator: string | null;
  /** The card issuer's name, if one is bound. */
  issuer: string | null;
}
