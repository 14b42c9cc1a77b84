import type { Money } from "#lib/money.ts";
import type { Classification, Disposition } from "./payment-link.ts";

/** The activities of payers on the page of a link. */
export const ACTIVITY_KINDS = ["opened", "copied", "sent", "returned"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** One event in the history of a link. */
export type TimelineEntry =
  | { type: "created" | "expired"; at: Date }
  /** Activities of payers, sampled: `at` is the first time. */
  | { type: ActivityKind; at: Date; lastAt: Date; times: number }
  | { type: "transfer"; at: Date; amount: Money; classification: Classification; disposition: Disposition };
