import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { DeliveriesList, deliveryFilters } from "#components/developers/deliveries-list.tsx";
import { ListDeliveriesQuery, listDeliveries } from "#services/webhooks/index.ts";
import { DeveloperTabs } from "../tabs.tsx";
import { allEndpoints } from "../webhooks/all-endpoints.ts";
import { ResendChosen } from "./resend-chosen.tsx";
import { hostOf, toDeliveryRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Deliveries" };

const { status: STATUS, event_type: EVENT_TYPE, answer: ANSWER } = ListDeliveriesQuery.shape;

export default async function DeliveriesPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/developers/deliveries">) {
  const page = await requireMember(params);
  const closed = closedTo(page, listDeliveries.needs.permission, "Deliveries");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/developers/deliveries`;
  const endpoints = await allEndpoints(ctx);
  const filters = deliveryFilters(endpoints.map(({ id, url }) => ({ value: id, label: hostOf(url) })));
  const asked = askedOf(await searchParams, filters);
  const { values } = asked;
  const wanted = {
    status: choiceOf(values.status, STATUS.unwrap().options),
    event_type: choiceOf(values.event_type, EVENT_TYPE.unwrap().options),
    answer: choiceOf(values.answer, ANSWER.unwrap().options),
    endpoint_id: values.endpoint_id,
    ...createdRangeOf(asked, now),
  };
  const { items, place } = await readList(path, asked, (request) => listDeliveries(ctx, { ...request, ...wanted }));
  return (
    <>
      <DeliveriesList
        tabs={<DeveloperTabs page={page} current="deliveries" />}
        rows={items.map((delivery) => toDeliveryRow(delivery, path, endpoints, now))}
        filters={filters}
        values={values}
        csvHref={csvHref("webhook-deliveries", ctx.merchant.id, wanted)}
        place={place}
        webhooksHref={`${base}/developers/webhooks`}
        chooser={mayChange(ctx, "webhooks:write") ? (table) => <ResendChosen>{table}</ResendChosen> : undefined}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
