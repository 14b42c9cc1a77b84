import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { listPurchases } from "#services/vtu/index.ts";
import { sellOn } from "../_buy/sell-on.tsx";
import { amountText, brandsOf, recentsOf } from "../_buy/to-view.ts";
import { BuyAirtime } from "./buy-airtime.tsx";

export const metadata: Metadata = { title: "Buy airtime" };

/** Recent numbers are looked for among so many purchases. */
const LOOKED = 30;

export default async function AirtimePage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/airtime">) {
  const page = await requireMember(params);
  return sellOn(page, "airtime", await searchParams, async ({ shop, products, again }) => {
    const { items } = await listPurchases(page.ctx, { service: "airtime", limit: LOOKED });
    const sold = products.filter(({ variant }) => variant === "VTU");
    return (
      <BuyAirtime
        shop={shop}
        networks={brandsOf(sold)}
        productIds={Object.fromEntries(sold.map(({ brand, id }) => [brand, id]))}
        recents={recentsOf(items, products)}
        first={{
          phone: again?.recipient ?? "",
          network: products.find(({ id }) => id === again?.productId)?.brand,
          amount: again ? amountText(again.amount.minor) : "",
        }}
      />
    );
  });
}
