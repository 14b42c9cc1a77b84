import type { Metadata } from "next";
import { Newer } from "#app/_client/newer.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedTo } from "#app/(dashboard)/_page/closed-to.tsx";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { EVENT_FILTERS, EventsList } from "#components/developers/events-list.tsx";
import { EVENT_TYPES, listNewestEvents } from "#services/events/index.ts";
import { queryOf } from "../query-of.ts";
import { DeveloperTabs } from "../tabs.tsx";
import { toEventRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Events" };

export default async function EventsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/developers/events">) {
  const page = await requireMember(params);
  const closed = closedTo(page, listNewestEvents.needs.permission, "Events");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/developers/events`;
  const asked = askedOf(await searchParams, EVENT_FILTERS);
  const { type, resource } = asked.values;
  const wanted = { type: choiceOf(type, EVENT_TYPES), resource, ...createdRangeOf(asked, now) };
  const { items, place } = await readList(path, asked, (request) => listNewestEvents(ctx, { ...request, ...wanted }));
  return (
    <>
      <EventsList
        tabs={<DeveloperTabs page={page} current="events" />}
        rows={items.map((event) => toEventRow(event, path))}
        values={asked.values}
        csvHref={csvHref("events", ctx.merchant.id, wanted)}
        place={place}
        linksHref={`${base}/links`}
        now={now}
      />
      {asked.cursor === undefined && <Newer list="events" query={queryOf(wanted)} newestId={items[0]?.id} />}
    </>
  );
}
