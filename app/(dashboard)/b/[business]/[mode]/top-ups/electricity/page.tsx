import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { listPurchases } from "#services/vtu/index.ts";
import { sellOn } from "../_buy/sell-on.tsx";
import { amountText, recentsOf } from "../_buy/to-view.ts";
import { BuyElectricity } from "./buy-electricity.tsx";

export const metadata: Metadata = { title: "Buy electricity" };

/** Recent meters are looked for among so many purchases. */
const LOOKED = 30;

export default async function ElectricityPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/electricity">) {
  const page = await requireMember(params);
  return sellOn(page, "electricity", await searchParams, async ({ shop, products, again }) => {
    const { items } = await listPurchases(page.ctx, { service: "electricity", limit: LOOKED });
    return (
      <BuyElectricity
        shop={shop}
        discos={products.map(({ id, name, hasLetters }) => ({ id, name, hasLetters }))}
        recents={recentsOf(items, products)}
        first={{
          disco: products.some(({ id }) => id === again?.productId) ? String(again?.productId) : "",
          meter: again?.recipient ?? "",
          meterType: again?.variant ?? undefined,
          amount: again ? amountText(again.amount.minor) : "",
        }}
      />
    );
  });
}
