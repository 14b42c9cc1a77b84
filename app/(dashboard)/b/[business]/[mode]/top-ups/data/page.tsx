import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { PlanRows } from "#components/top-ups/plan-rows.tsx";
import { listPurchases } from "#services/vtu/index.ts";
import { sellOn } from "../_buy/sell-on.tsx";
import { brandsOf, recentsOf, toPlans } from "../_buy/to-view.ts";
import { BuyData } from "./buy-data.tsx";

export const metadata: Metadata = { title: "Buy data" };

/** Recent numbers are looked for among so many purchases. */
const LOOKED = 30;

export default async function DataPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/data">) {
  const page = await requireMember(params);
  return sellOn(page, "data", await searchParams, async ({ shop, products, again }) => {
    const { items } = await listPurchases(page.ctx, { service: "data", limit: LOOKED });
    const networks = brandsOf(products);
    return (
      <BuyData
        shop={shop}
        networks={networks}
        recents={recentsOf(items, products)}
        first={{ phone: again?.recipient ?? "", planId: again?.productId }}
      >
        <PlanRows brands={networks} plans={toPlans(products)} chosen={again?.productId} />
      </BuyData>
    );
  });
}
