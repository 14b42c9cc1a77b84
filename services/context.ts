/** Who acts: a key, a member or an operator by its id, the command line, or a job of the worker by its name. */
export interface Actor {
  type: "api_key" | "member" | "operator" | "cli" | "system";
  id: string;
}

/** Who acts, and from where. Every verb of a service takes a context first. */
export interface Context {
  actor: Actor;
  /** Null outside of a request. */
  requestId: string | null;
  /** The address that the request came from. Null outside of a request. */
  address: string | null;
}

/** For one merchant, which every query names. */
export interface MerchantContext extends Context {
  merchant: Merchant;
  /** With an Idempotency-Key: the id that the claim chose for what this request makes. */
  resourceId?: string;
  /** With an Idempotency-Key: the right to run this request. Verbs that store its resource call `assertLease`. */
  lease?: { scope: string; key: string; lockedUntil: string };
  /** An earlier try with this key ended without an answer; what it began must be finished, not repeated. */
  resumed?: boolean;
}

/** As `MerchantContext`, for verbs that need to know of the merchant only whose it is. */
export interface TenantContext extends Context {
  merchant: Pick<Merchant, "id" | "mode">;
}

/** For a business in both modes. */
export interface BusinessContext extends Context {
  businessId: string;
}

/** For Oja itself. Its verbs name the merchant that they are about. */
export interface OperatorContext extends Context {
  actor: { type: "operator" | "cli"; id: string };
}

/** For work that nobody asked for: sweeps of the worker, and notices of providers. */
export interface SystemContext extends Context {
  actor: { type: "system"; id: string };
}

/** The context of a job, by its name. */
export const systemContext = (job: string): SystemContext => ({ actor: { type: "system", id: job }, requestId: null, address: null });

export type Area = "checkout" | "cards" | "vtu";

/** One mode of a business, with what a request needs to know of it. */
export interface Merchant {
  id: string;
  businessId: string;
  businessName: string;
  mode: "test" | "live";
  status: "active" | "suspended";
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
