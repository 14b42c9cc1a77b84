"use client";

import { type ReactNode, useEffect } from "react";
import { call } from "#app/_client/call.ts";
import { inFours, isSmartCard, typedNaira, typedNumber } from "#components/top-ups/numbers.ts";
import { naira, type Shop } from "#components/top-ups/pay-box.tsx";
import { PlanPicker } from "#components/top-ups/plan-picker.tsx";
import type { Recent } from "#components/top-ups/recents.tsx";
import { Segments } from "#components/top-ups/segments.tsx";
import { NumberField } from "../_buy/number-field.tsx";
import { PurchaseForm } from "../_buy/purchase-form.tsx";
import { useCustomer } from "../_buy/use-customer.ts";
import { usePlan } from "../_buy/use-plan.ts";
import { type Order, usePurchase } from "../_buy/use-purchase.ts";
import { useTyped } from "../_buy/use-typed.ts";

type BuyCableRoute = typeof import("#app/api/v1/vtu/cable/route.ts").POST;
type VerifyCable = typeof import("#app/api/v1/vtu/cable/verify/route.ts").POST;

interface Body extends Order {
  cable_plan_id: number;
  smart_card_number: string;
}

interface BuyCableProps {
  shop: Shop;
  broadcasters: readonly { value: string; label: string }[];
  recents: readonly Recent[];
  first: { smartCard: string; planId: number | undefined };
  /** The rows of the plans. */
  children: ReactNode;
}

const WRONG = "Enter the number on the smart card, or the IUC: 10 digits, for Startimes 11.";

/** A month of cable TV: the broadcaster, the smart card, whose it is, and a plan. */
export function BuyCable({ shop, broadcasters, recents, first, children }: BuyCableProps) {
  const card = useTyped(first.smartCard && inFours(first.smartCard));
  const { plan, brand, choosePlan, chooseBrand, choosePlanOf } = usePlan(first.planId);
  const purchase = usePurchase<Body>("cable", shop.href, (caller, body, idempotencyKey) =>
    call<BuyCableRoute>(caller, "POST", "/api/v1/vtu/cable", { body, idempotencyKey }),
  );
  const { unanswered } = purchase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a body without an answer is found
  useEffect(() => {
    if (!unanswered) return;
    card.set(inFours(unanswered.smart_card_number));
    choosePlanOf(unanswered.cable_plan_id);
  }, [unanswered]);
  const number = typedNumber(card.text);
  const isWhole = isSmartCard(number, brand);
  const question = isWhole && brand ? { provider_name: brand, smart_card_number: number } : undefined;
  const customer = useCustomer(
    question,
    async (caller, body) => (await call<VerifyCable>(caller, "POST", "/api/v1/vtu/cable/verify", { body })).data,
  );
  const price = plan && purchase.priceOf(plan);
  return (
    <PurchaseForm
      shop={shop}
      label="Pay for cable TV"
      fields={["broadcaster", "smart_card_number", "plan"]}
      purchase={purchase}
      lostText={(body) => `${naira(typedNaira(String(body.expected_price)) ?? 0n)} for smart card ${inFours(body.smart_card_number)}`}
      draft={{
        order:
          isWhole && plan && price !== undefined
            ? {
                body: { cable_plan_id: plan.id, smart_card_number: number, expected_price: Number(price) / 100 },
                ...{ productId: plan.id, quantity: 1 },
              }
            : undefined,
        errors: { ...(!isWhole && { smart_card_number: WRONG }), ...(!plan && { plan: "Choose a plan from the list." }) },
        what: plan?.name,
        recipient: isWhole ? number : undefined,
        recipientText: isWhole ? inFours(number) : undefined,
        name: customer.state === "found" ? customer.name : undefined,
        price,
      }}
    >
      {(wrong) => (
        <>
          <Segments label="Broadcaster" name="broadcaster" choices={broadcasters} value={brand} onChange={chooseBrand} />
          <NumberField
            label="Smart card number"
            name="smart_card_number"
            hint="Also called IUC: 10 digits, for Startimes 11."
            wiring={card.wiring}
            customer={customer}
            recents={recents}
            error={wrong.smart_card_number}
            onRecent={(recent) => {
              card.set(recent.text);
              chooseBrand(recent.brand);
            }}
          />
          <PlanPicker label="Plan" example="compact, 19000" brand={brand} chosen={plan} onChoose={choosePlan} error={wrong.plan}>
            {children}
          </PlanPicker>
        </>
      )}
    </PurchaseForm>
  );
}
