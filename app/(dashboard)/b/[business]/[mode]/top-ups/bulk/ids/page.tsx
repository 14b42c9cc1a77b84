import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { requireMember } from "#app/_people/require-member.ts";
import { closedArea } from "#app/(dashboard)/_page/closed-area.tsx";
import { ProductIds } from "#components/bulk/product-ids.tsx";
import { listProducts } from "#services/vtu/index.ts";

export const metadata: Metadata = { title: "Ids of plans" };

export default async function ProductIdsPage({ params }: PageProps<"/b/[business]/[mode]/top-ups/bulk/ids">) {
  const page = await requireMember(params);
  const closed = closedArea(page, "vtu");
  if (closed) return closed;
  const { ctx, base } = page;
  if (ctx.merchant.aggregator === null) notFound();
  const [data, cable, electricity] = await Promise.all([
    listProducts(ctx, { service: "data" }),
    listProducts(ctx, { service: "cable" }),
    listProducts(ctx, { service: "electricity" }),
  ]);
  return (
    <ProductIds
      backHref={`${base}/top-ups/bulk`}
      groups={[
        { id: "data", title: "Data plans", column: "plan id", products: data },
        { id: "cable", title: "Cable TV plans", column: "plan id", products: cable },
        { id: "electricity", title: "Electricity companies", column: "disco", products: electricity },
      ]}
    />
  );
}
