import type { Money } from "#lib/money.ts";
import type { EventType } from "../events/index.ts";
import type { Delivery } from "../webhooks/index.ts";
import type { BankTransfer } from "./payment-link.ts";
import type { RefundStatus } from "./refund.ts";

/** The activities of payers on the page of a link. */
export const ACTIVITY_KINDS = ["opened", "copied", "sent", "unsent", "returned"] as const;
export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

/** One entry in the history of a link. */
export type PublicTimelineEntry =
  | { type: "created" | "expired"; at: Date }
  /** Activities of payers, sampled: `at` is the first time. */
  | { type: ActivityKind; at: Date; lastAt: Date; times: number }
  | ({ type: "transfer"; at: Date } & Omit<BankTransfer, "receivedAt">)
  /** A refund, in its latest state: when it was made, paid, failed or came back. */
  | { type: "refund"; at: Date; amount: Money; status: RefundStatus }
  /** The wallet was credited, or debited by a recall. */
  | { type: "posting"; at: Date; amount: Money; direction: "credit" | "debit" };

/** One entry in the history of a link, for people. */
export type TimelineEntry =
  | PublicTimelineEntry
  | { type: "event"; at: Date; id: string; eventType: EventType; sequence: bigint }
  /** An event with its delivery to an endpoint: `at` is the time of the delivery, or of the event before it. */
  | ({ type: "delivery"; at: Date; url: string } & Pick<Delivery, "id" | "eventType" | "status" | "attemptCount" | "lastResponseStatus">);
