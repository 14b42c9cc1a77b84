import type { Metadata } from "next";
import { LiveRefresh } from "#app/_client/live-refresh.tsx";
import { one } from "#app/_people/one.ts";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { found } from "#app/(dashboard)/_page/found.ts";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { csvHref, hrefWith } from "#app/(dashboard)/_page/read-list.ts";
import { BulkOrderPage } from "#components/bulk/bulk-order.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { getBulkOrder, listBulkRows, MAX_ROWS } from "#services/bulk/index.ts";
import type { MemberContext } from "#services/context.ts";
import { getWallet } from "#services/ledger/index.ts";
import { closedBecause } from "../../to-view.ts";
import { toBulkOrderView, toBulkRowView, toChoice, wordsOfDuplicate } from "../to-view.ts";
import { BuyForm } from "./buy-form.tsx";
import { StopOrder } from "./order-acts.tsx";

export const metadata: Metadata = { title: "Top-ups of a file" };

const ROWS_OF_A_PAGE = 100;

export default async function BulkOrderPageOf({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/bulk/[id]">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "vtu");
  if (closed) return closed;
  const { ctx, base } = page;
  const { id } = await params;
  const topUps = `${base}/top-ups`;
  const [order, { rows }] = await Promise.all([found(getBulkOrder(ctx, id)), found(listBulkRows(ctx, id, { after: 0, limit: MAX_ROWS }))]);
  const from = placeIn(one((await searchParams).from), rows.length);
  const href = (at: number) => hrefWith(`${topUps}/bulk/${id}`, { from: at === 0 ? undefined : String(at) });
  const isBought = order.status === "running" || order.counts.processing > 0;
  return (
    <>
      <BulkOrderPage
        order={toBulkOrderView(order)}
        wrong={order.status === "draft" ? rows.filter(({ status }) => status === "invalid").map((row) => toBulkRowView(row, topUps)) : []}
        rows={rows.slice(from, from + ROWS_OF_A_PAGE).map((row) => toBulkRowView(row, topUps))}
        backHref={`${topUps}/bulk`}
        newerHref={from > 0 ? href(Math.max(0, from - ROWS_OF_A_PAGE)) : undefined}
        olderHref={from + ROWS_OF_A_PAGE < rows.length ? href(from + ROWS_OF_A_PAGE) : undefined}
        csvHref={csvHref("bulk-order-rows", ctx.merchant.id, { order: id })}
        acts={await actsOf(ctx, order, rows)}
        now={new Date()}
      />
      <LiveRefresh isWaiting={isBought} />
    </>
  );
}

/** Returns the number of the first row of a page. */
function placeIn(given: string | undefined, count: number): number {
  const from = Number(given);
  return Number.isInteger(from) && from > 0 && from < count ? from : 0;
}

type Order = Awaited<ReturnType<typeof getBulkOrder>>;
type Rows = Awaited<ReturnType<typeof listBulkRows>>["rows"];

async function actsOf(ctx: MemberContext, order: Order, rows: Rows) {
  if (order.status === "done" || order.status === "cancelled") return null;
  const why = closedBecause(ctx, mayChange(ctx, "vtu:write"), whoMay(ctx, "vtu:write"));
  if (why) return <Notice>{why}</Notice>;
  if (order.status === "running") return <StopOrder id={order.id} />;
  const { available } = await getWallet(ctx);
  const stopped = rows.find(({ row, status }) => row === order.pausedRow && status === "ready");
  return (
    <BuyForm
      // Another key drops the ticks when the rows change.
      key={`${order.status} ${order.fencingToken} ${order.counts.duplicate}`}
      id={order.id}
      isPaused={order.status === "paused"}
      ready={{ count: order.counts.ready, total: String(order.toBuy.minor) }}
      duplicates={rows.filter(({ status }) => status === "duplicate").map((row) => toChoice(row, wordsOfDuplicate(row)))}
      stoppedAt={stopped && toChoice(stopped, "Buying stopped at this row.")}
      available={String(available.minor)}
    />
  );
}
