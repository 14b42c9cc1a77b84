"use client";

import { type ReactNode, useEffect } from "react";
import { call } from "#app/_client/call.ts";
import { phoneText, typedNaira, typedPhone } from "#components/top-ups/numbers.ts";
import { naira, type Shop } from "#components/top-ups/pay-box.tsx";
import { PlanPicker } from "#components/top-ups/plan-picker.tsx";
import type { Recent } from "#components/top-ups/recents.tsx";
import { Segments } from "#components/top-ups/segments.tsx";
import { guessOf, PhoneField, WRONG_PHONE } from "../_buy/phone-field.tsx";
import { PurchaseForm } from "../_buy/purchase-form.tsx";
import { usePlan } from "../_buy/use-plan.ts";
import { type Order, usePurchase } from "../_buy/use-purchase.ts";
import { useTyped } from "../_buy/use-typed.ts";

type BuyDataRoute = typeof import("#app/api/v1/vtu/data/route.ts").POST;

interface Body extends Order {
  /** E.164. */
  phone: string;
  data_plan_id: number;
}

interface BuyDataProps {
  shop: Shop;
  networks: readonly { value: string; label: string }[];
  recents: readonly Recent[];
  first: { phone: string; planId: number | undefined };
  /** The rows of the plans. */
  children: ReactNode;
}

/** Data for a phone: the number, and a plan of its network. */
export function BuyData({ shop, networks, recents, first, children }: BuyDataProps) {
  const phone = useTyped(first.phone && phoneText(first.phone));
  const { plan, brand, choosePlan, chooseBrand, choosePlanOf } = usePlan(first.planId);
  const purchase = usePurchase<Body>("data", shop.href, (caller, body, idempotencyKey) =>
    call<BuyDataRoute>(caller, "POST", "/api/v1/vtu/data", { body, idempotencyKey }),
  );
  const { unanswered } = purchase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a body without an answer is found
  useEffect(() => {
    if (!unanswered) return;
    phone.set(phoneText(unanswered.phone));
    choosePlanOf(unanswered.data_plan_id);
  }, [unanswered]);
  const { guess, hint } = guessOf(phone.text, brand, networks);
  const network = brand ?? guess;
  const number = typedPhone(phone.text);
  const price = plan && purchase.priceOf(plan);
  const errors = { ...(!number && { phone: WRONG_PHONE }), ...(!plan && { plan: "Choose a plan from the list." }) };
  return (
    <PurchaseForm
      shop={shop}
      label="Buy data"
      fields={["phone", "plan"]}
      purchase={purchase}
      lostText={(body) => `${naira(typedNaira(String(body.expected_price)) ?? 0n)} data for ${phoneText(body.phone)}`}
      draft={{
        order:
          number && plan && price !== undefined
            ? { body: { phone: number, data_plan_id: plan.id, expected_price: Number(price) / 100 }, productId: plan.id, quantity: 1 }
            : undefined,
        errors,
        what: plan?.name,
        recipient: number,
        recipientText: number && phoneText(number),
        price,
      }}
    >
      {(wrong) => (
        <>
          <PhoneField
            wiring={phone.wiring}
            recents={recents}
            error={wrong.phone}
            onRecent={(recent) => {
              phone.set(recent.text);
              chooseBrand(recent.brand);
            }}
          />
          <Segments label="Network" name="network" choices={networks} value={network} onChange={chooseBrand} hint={hint} />
          <PlanPicker label="Plan" example="1GB, 600, 30 days" brand={network} chosen={plan} onChoose={choosePlan} error={wrong.plan}>
            {children}
          </PlanPicker>
        </>
      )}
    </PurchaseForm>
  );
}
