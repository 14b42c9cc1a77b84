import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { may } from "#app/(dashboard)/_page/may.ts";
import { EventDetail } from "#components/developers/event-detail.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { getEvent, presentEvent } from "#services/events/index.ts";
import { listDeliveriesOfEvents } from "#services/webhooks/index.ts";
import { toDeliveryRow } from "../../deliveries/to-view.ts";
import { allEndpoints } from "../../webhooks/all-endpoints.ts";
import { pageOfSubject, subjectOf, wordOf } from "../to-view.ts";

export const metadata: Metadata = { title: "Event" };

export default async function EventPage({ params }: PageProps<"/b/[business]/[mode]/developers/events/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, getEvent.needs.permission, "Event");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/developers`;
  const event = await found(getEvent(ctx, (await params).id));
  const [deliveries, endpoints] = await Promise.all([listDeliveriesOfEvents(ctx, [event.id]), allEndpoints(ctx)]);
  const subject = subjectOf(event);
  const now = new Date();
  return (
    <EventDetail
      backHref={`${path}/events`}
      title={wordOf(event.type)}
      subjectHref={pageOfSubject(event, base)}
      deliveries={deliveries.map((delivery) => toDeliveryRow(delivery, `${path}/deliveries`, endpoints, now))}
      webhooksHref={may(ctx, "webhooks:read") ? `${path}/webhooks` : undefined}
      json={JSON.stringify(presentEvent(event), null, 2)}
      facts={[
        { label: "Type", value: <span className="font-mono">{event.type}</span> },
        { label: "About", value: subject && <CopyId id={subject} what="reference" /> },
        { label: "Sequence", value: event.sequence.toLocaleString("en") },
        { label: "Time", value: exactTime(event.createdAt) },
        { label: "Id", value: <CopyId id={event.id} /> },
      ]}
      now={now}
    />
  );
}
