import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { CARD_FILTERS, CardsList } from "#components/cards/cards-list.tsx";
import { listCards } from "#services/cards/index.ts";
import { issuing } from "./issuing.tsx";
import { toCardRow } from "./to-view.ts";

export const metadata: Metadata = { title: "Cards" };

const STATUSES = ["PENDING", "ACTIVE", "FROZEN", "TERMINATED", "FAILED"] as const;

export default async function CardsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, CARD_FILTERS);
  const filters = { status: choiceOf(asked.values.status, STATUSES), ...createdRangeOf(asked, now) };
  const { items, place } = await readList(path, asked, (request) => listCards(ctx, { ...request, ...filters }));
  return (
    <>
      <CardsList
        rows={items.map((card) => toCardRow(card, path))}
        values={asked.values}
        place={place}
        path={path}
        create={await issuing(page)}
        csvHref={csvHref("cards", ctx.merchant.id, filters)}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
