import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { askedOf } from "#app/(dashboard)/_page/asked.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { mayChange, whoMay } from "#app/(dashboard)/_page/may.ts";
import { readList } from "#app/(dashboard)/_page/read-list.ts";
import { BulkOrders } from "#components/bulk/bulk-orders.tsx";
import { Templates } from "#components/bulk/templates.tsx";
import { Notice } from "#components/ui/notice.tsx";
import { listBulkOrders, MAX_FILE_BYTES } from "#services/bulk/index.ts";
import { closedBecause } from "../to-view.ts";
import { toBulkOrderRow } from "./to-view.ts";
import { Upload } from "./upload.tsx";

export const metadata: Metadata = { title: "Buy many at once" };

export default async function BulkOrdersPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/bulk">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "vtu");
  if (closed) return closed;
  const { ctx, base } = page;
  const topUps = `${base}/top-ups`;
  const path = `${topUps}/bulk`;
  const asked = askedOf(await searchParams, []);
  const { items, place } = await readList(path, asked, (request) => listBulkOrders(ctx, request));
  const why = closedBecause(ctx, mayChange(ctx, "vtu:write"), whoMay(ctx, "vtu:write"));
  return (
    <BulkOrders
      rows={items.map((order) => toBulkOrderRow(order, path))}
      place={place}
      topUpsHref={topUps}
      upload={
        why ? (
          <Notice>{why}</Notice>
        ) : (
          <div className="flex flex-col gap-2">
            <Upload path={path} maxBytes={MAX_FILE_BYTES} />
            <Templates idsHref={`${path}/ids`} />
          </div>
        )
      }
      now={new Date()}
    />
  );
}
