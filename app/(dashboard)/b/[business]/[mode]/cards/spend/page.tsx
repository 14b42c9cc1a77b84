import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { SPEND_FILTERS, SpendList } from "#components/cards/spend-list.tsx";
import { listSpendOfCards } from "#services/cards/index.ts";
import { toSpendRow } from "../to-view.ts";

export const metadata: Metadata = { title: "Card spend" };

const TYPES = ["AUTHORIZATION", "CLEARING", "REVERSAL", "REFUND", "DECLINE", "FEE"] as const;

export default async function SpendPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards/spend">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, SPEND_FILTERS);
  const filters = { type: choiceOf(asked.values.type, TYPES), ...createdRangeOf(asked, now) };
  const { items, place } = await readList(`${path}/spend`, asked, (request) => listSpendOfCards(ctx, { ...request, ...filters }));
  return (
    <>
      <SpendList
        rows={items.map((spend) => toSpendRow(spend, path))}
        values={asked.values}
        place={place}
        path={path}
        csvHref={csvHref("card-spend", ctx.merchant.id, filters)}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
