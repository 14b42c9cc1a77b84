import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { readList } from "#app/(dashboard)/_page/read-list.ts";
import { HolderView } from "#components/cards/holder-view.tsx";
import { getCardholder, listCards } from "#services/cards/index.ts";
import { issuingTo } from "../../issuing.tsx";
import { fullName, toCardRow } from "../../to-view.ts";

export const metadata: Metadata = { title: "Cardholder" };

const ID = /^[1-9]\d{0,14}$/;

export default async function HolderPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/cards/holders/[id]">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "cards");
  if (closed) return closed;
  const { ctx, base } = page;
  const { id } = await params;
  if (!ID.test(id)) notFound();
  const holder = await found(getCardholder(ctx, Number(id)));
  const path = `${base}/cards`;
  const asked = askedOf(await searchParams, []);
  const { items, place } = await readList(`${path}/holders/${id}`, asked, (request) =>
    listCards(ctx, { ...request, cardholder_id: holder.id }),
  );
  return (
    <>
      <HolderView
        holder={{ ...holder, name: fullName(holder) }}
        path={path}
        cards={items.map((card) => toCardRow(card, path))}
        place={place}
        issue={await issuingTo(page, holder)}
        now={new Date()}
      />
      <LiveRefresh isWaiting={holder.kycStatus === "PENDING"} />
    </>
  );
}
