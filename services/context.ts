/** Who asks, for whom. Every service verb gets one, and names its merchant in every query. */
export interface MerchantContext {
  merchant: Merchant;
  actor: { type: "api_key"; id: string };
  requestId: string;
  /** With an Idempotency-Key: the id that the claim chose for what this request makes. */
  resourceId?: string;
  /** With an Idempotency-Key: the right to run this request. Verbs that store its resource call `assertLease`. */
  lease?: { scope: string; key: string; lockedUntil: string };
  /** An earlier try with this key ended without an answer; what it began must be finished, not repeated. */
  resumed?: boolean;
}

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
