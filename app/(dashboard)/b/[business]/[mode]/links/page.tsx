import type { Metadata } from "next";
import { NewRows } from "#app/_client/live-refresh.tsx";
import { requireMember } from "#app/_people/require-member.ts";
import { amountOf, askedOf, choiceOf, createdRangeOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange } from "#app/(dashboard)/_page/may.ts";
import { csvHref, readList } from "#app/(dashboard)/_page/read-list.ts";
import { LINK_FILTERS, LinksList } from "#components/links/links-list.tsx";
import { settings } from "#lib/env.ts";
import { listPaymentLinks } from "#services/checkout/index.ts";
import { readFigures } from "#services/figures/index.ts";
import { paidOf, paidRange } from "./paid-of.ts";
import { toLinkRow } from "./to-view.ts";
import { NO_BANK } from "./words.ts";

export const metadata: Metadata = { title: "Payment links" };

const STATUSES = ["pending", "success", "expired"] as const;

export default async function LinksPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/links">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "checkout");
  if (closed) return closed;
  const { ctx, base } = page;
  const now = new Date();
  const path = `${base}/links`;
  const asked = askedOf(await searchParams, LINK_FILTERS);
  const { min, max } = asked.values;
  const filters = { status: choiceOf(asked.values.status, STATUSES), ...createdRangeOf(asked, now) };
  const amounts = { min_amount: amountOf(min, "NGN"), max_amount: amountOf(max, "NGN") };
  const [{ items, place }, { figures }] = await Promise.all([
    readList(path, asked, (request) => listPaymentLinks(ctx, { ...request, ...filters, ...amounts })),
    readFigures(ctx, paidRange(now)),
  ]);
  const { bank, mode } = ctx.merchant;
  const mayCreate = mayChange(ctx, "checkout:write");
  return (
    <>
      <LinksList
        rows={items.map((link) => toLinkRow(link, path))}
        values={asked.values}
        place={place}
        paid={paidOf(figures, now)}
        createHref={mayCreate && bank !== null ? `${path}/new` : undefined}
        notice={mayCreate && bank === null ? NO_BANK : undefined}
        apiUrl={mayCreate && mode === "test" ? `${settings().BASE_URL}/api/v1` : undefined}
        csvHref={csvHref("payment-links", ctx.merchant.id, { ...filters, min_amount: min, max_amount: max })}
        now={now}
      />
      {asked.cursor === undefined && <NewRows />}
    </>
  );
}
