import type { AttemptView } from "#components/developers/delivery-detail.tsx";
import type { Fact } from "#components/page/facts.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { TextLink } from "#components/ui/text-link.tsx";
import { Time } from "#components/ui/time.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import type { Delivery, Endpoint, getDeliveryDetail } from "#services/webhooks/index.ts";
import { hostOf } from "../to-view.ts";

type Attempt = Awaited<ReturnType<typeof getDeliveryDetail>>["attempts"][number];

export const toAttempt = ({
  number,
  startedAt,
  durationMs,
  url,
  requestHeaders,
  responseStatus,
  responseBody,
  error,
}: Attempt): AttemptView => ({
  ...{ number, durationMs, url, error },
  at: startedAt,
  requestHeaders: Object.entries(requestHeaders)
    .map(([name, value]) => `${name}: ${value}`)
    .join("\n"),
  status: responseStatus,
  body: responseBody,
});

/** Returns the text whose signature a try has sent (Standard Webhooks 1.0). */
export const signedText = ({ requestHeaders }: Attempt, body: string): string =>
  [requestHeaders["webhook-id"], requestHeaders["webhook-timestamp"], body].join(".");

/** Returns what happens next to a delivery, or why nothing does. */
export function nextOf({ status, nextAttemptAt, attemptCount }: Delivery, endpoint: Endpoint | undefined, now: Date) {
  if (!endpoint) return "Its endpoint was deleted, so nothing more is sent.";
  if (endpoint.status === "disabled" && status !== "delivered") return "Its endpoint is disabled. Enable it, then send this again.";
  if (status === "failed") return "All tries have failed, so nothing more is sent by itself.";
  if (status !== "pending" || !nextAttemptAt) return undefined;
  if (nextAttemptAt <= now) return `It is about to be sent${attemptCount === 0 ? "" : " again"}. This page will tell you.`;
  return attemptCount === 0 ? undefined : <>It is tried again at {exactTime(nextAttemptAt)}.</>;
}

export function factsOf(delivery: Delivery, endpoint: Endpoint | undefined, path: string): Fact[] {
  const { id, eventId, eventType, sequence, endpointId, deliveredAt, attemptCount, createdAt } = delivery;
  const isTest = eventType === "webhook.test";
  return [
    {
      label: "Endpoint",
      value: endpoint ? <TextLink href={`${path}/webhooks/${endpointId}`}>{hostOf(endpoint.url)}</TextLink> : "Deleted",
    },
    { label: "Event", value: isTest ? "A test, in no feed" : <TextLink href={`${path}/events/${eventId}`}>{eventType}</TextLink> },
    { label: "webhook-id", value: <CopyId id={eventId} what="webhook-id" /> },
    { label: "Sequence", value: isTest ? null : sequence.toLocaleString("en") },
    { label: "Tries", value: String(attemptCount) },
    { label: "Event of", value: <Time at={createdAt} now={new Date()} /> },
    { label: "Delivered", value: deliveredAt && exactTime(deliveredAt) },
    { label: "Id", value: <CopyId id={id} /> },
  ];
}
