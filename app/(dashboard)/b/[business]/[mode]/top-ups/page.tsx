import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { KINDS } from "#components/top-ups/kinds.tsx";
import { TOP_UP_FILTERS, TopUpsList } from "#components/top-ups/top-ups-list.tsx";
import { listPurchases } from "#services/vtu/index.ts";
import { closedBecause, toTopUpRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Top-ups" };

const STATUSES = ["processing", "success", "failed", "reversed"] as const;
const SERVICES = KINDS.map(({ service }) => service);

export default async function TopUpsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "vtu");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/top-ups`;
  const asked = askedOf(await searchParams, TOP_UP_FILTERS);
  const { service, status, recipient } = asked.values;
  const filters = { service: choiceOf(service, SERVICES), status: choiceOf(status, STATUSES), recipient, ...createdRangeOf(asked, now) };
  const { items, place } = await readList(path, asked, (request) => listPurchases(ctx, { ...request, ...filters }));
  return (
    <>
      <TopUpsList
        rows={items.map((purchase) => toTopUpRow(purchase, path))}
        values={asked.values}
        place={place}
        href={path}
        closed={closedBecause(ctx, mayChange(ctx, "vtu:write"), whoMay(ctx, "vtu:write"))}
        csvHref={csvHref("purchases", ctx.merchant.id, filters)}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
