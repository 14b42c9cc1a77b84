import type { Metadata } from "next";
import { requireMember } from "#app/_people/require-member.ts";
import { PlanRows } from "#components/top-ups/plan-rows.tsx";
import { sellOn } from "../_buy/sell-on.tsx";
import { toPlans } from "../_buy/to-view.ts";
import { BuyExamPins } from "./buy-exam-pins.tsx";

export const metadata: Metadata = { title: "Buy exam pins" };

/** Five or six kinds of pins need no groups. */
const ALL = { value: "exam", label: "Price of one pin" };

export default async function ExamPinsPage({ params, searchParams }: PageProps<"/b/[business]/[mode]/top-ups/exam-pins">) {
  const page = await requireMember(params);
  return sellOn(page, "exam", await searchParams, async ({ shop, products, again }) => (
    <BuyExamPins shop={shop} first={{ typeId: again?.productId, quantity: String(again?.quantity ?? 1) }}>
      <PlanRows brands={[ALL]} plans={toPlans(products).map((plan) => ({ ...plan, brand: ALL.value }))} chosen={again?.productId} />
    </BuyExamPins>
  ));
}
