import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import type { Page } from "#app/_people/find-member.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { EndpointDetail } from "#components/developers/endpoint-detail.tsx";
import { VERIFY_CODE } from "#components/developers/verify-code.ts";
import type { Fact } from "#components/page/facts.tsx";
import { CopyId } from "#components/ui/copy-id.tsx";
import { exactTime } from "#components/ui/time-text.ts";
import { readableAddress, readableHost } from "#lib/readable-host.ts";
import { countLastDay, countMissed, countPending, type Endpoint, getEndpoint, listDeliveries } from "#services/webhooks/index.ts";
import { toDeliveryRow } from "../../deliveries/to-view.ts";
import { eventsOf, lastDayOf, stateOf } from "../to-view.tsx";
import { EndpointActions } from "./endpoint-actions.tsx";
import { ResendSince } from "./resend-since.tsx";
import { missedSince, troubleOf } from "./trouble-of.ts";

export const metadata: Metadata = { title: "Webhook endpoint" };

const LATEST = 10;

export default async function EndpointPage({ params }: PageProps<"/b/[business]/[mode]/developers/webhooks/[id]">) {
  const page = await requireMember(params);
  const closed = closedTo(page, "webhooks:read", "Webhook endpoint");
  if (closed) return closed;
  const { ctx, base } = page;
  const path = `${base}/developers`;
  const endpoint = await found(getEndpoint(ctx, (await params).id));
  const { id, url, status } = endpoint;
  const since = missedSince(endpoint);
  const [days, { items }, { pending, retrying }, missed] = await Promise.all([
    countLastDay(ctx),
    listDeliveries(ctx, { limit: LATEST, endpoint_id: id }),
    countPending(ctx, id),
    since && status === "disabled" ? countMissed(ctx, endpoint, { since, after: 0 }) : undefined,
  ]);
  const mayWrite = mayChange(ctx, "webhooks:write");
  const now = new Date();
  return (
    <>
      <EndpointDetail
        backHref={`${path}/webhooks`}
        url={readableAddress(url)}
        state={stateOf(endpoint)}
        actions={mayWrite && <Actions page={page} endpoint={endpoint} />}
        trouble={troubleOf(endpoint, missed, now)}
        lastDay={lastDayOf(days, id)}
        waiting={{ retrying: retrying.toLocaleString("en"), fresh: (pending - retrying).toLocaleString("en") }}
        deliveries={items.map((delivery) => toDeliveryRow(delivery, `${path}/deliveries`, [endpoint], now))}
        deliveriesHref={`${path}/deliveries?endpoint_id=${id}`}
        resend={
          mayWrite &&
          status === "enabled" && <ResendSince id={id} pending={pending} retrying={retrying} missedSince={since?.toISOString()} />
        }
        code={VERIFY_CODE}
        facts={factsOf(endpoint)}
        now={now}
      />
      <LiveRefresh isWaiting={pending > 0 || items.some((delivery) => delivery.status === "pending")} />
    </>
  );
}

const Actions = ({ page: { ctx, base }, endpoint: { id, url, eventTypes, status } }: { page: Page; endpoint: Endpoint }) => (
  <EndpointActions
    merchantId={ctx.merchant.id}
    mode={ctx.merchant.mode}
    path={`${base}/developers`}
    endpoint={{ id, url: readableAddress(url), host: readableHost(url), eventTypes, status }}
  />
);

function factsOf(endpoint: Endpoint): Fact[] {
  const { id, eventTypes, failingSince, pausedUntil, disabledAt, createdAt } = endpoint;
  const isPaused = pausedUntil !== null && pausedUntil > new Date();
  return [
    { label: "Events", value: eventTypes === null ? "All of them" : `${eventsOf(endpoint)}: ${eventTypes.join(", ")}` },
    { label: "Failing since", value: failingSince && exactTime(failingSince) },
    { label: "Paused until", value: isPaused ? exactTime(pausedUntil) : null },
    { label: "Disabled", value: disabledAt && exactTime(disabledAt) },
    { label: "Created", value: exactTime(createdAt) },
    { label: "Id", value: <CopyId id={id} /> },
  ];
}
