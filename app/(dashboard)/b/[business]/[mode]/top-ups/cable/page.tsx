import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { PlanRows } from "#components/top-ups/plan-rows.tsx";
import { listPurchases } from "#services/vtu/index.ts";
import { sellOn } from "../_buy/sell-on.tsx";
import { brandsOf, recentsOf, toPlans } from "../_buy/to-view.ts";
import { BuyCable } from "./buy-cable.tsx";

export const metadata: Metadata = { title: "Pay for cable TV" };

/** Recent smart cards are looked for among so many purchases. */
const LOOKED = 30;

export default async function CablePage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/cable">) {
  const page = await requireMember(params);
  return sellOn(page, "cable", await searchParams, async ({ shop, products, again }) => {
    const { items } = await listPurchases(page.ctx, { service: "cable", limit: LOOKED });
    const broadcasters = brandsOf(products);
    return (
      <BuyCable
        shop={shop}
        broadcasters={broadcasters}
        recents={recentsOf(items, products)}
        first={{ smartCard: again?.recipient ?? "", planId: again?.productId }}
      >
        <PlanRows brands={broadcasters} plans={toPlans(products)} chosen={again?.productId} />
      </BuyCable>
    );
  });
}
