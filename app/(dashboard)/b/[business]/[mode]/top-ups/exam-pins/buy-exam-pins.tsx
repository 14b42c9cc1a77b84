"use client";

import { type ReactNode, useEffect } from "react";
import { call } from "#app/_client/call.ts";
import { typedNaira } from "#components/top-ups/numbers.ts";
import { naira, type Shop } from "#components/top-ups/pay-box.tsx";
import { PlanPicker } from "#components/top-ups/plan-picker.tsx";
import { Button } from "#components/ui/button.tsx";
import { Field } from "#components/ui/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { PurchaseForm } from "../_buy/purchase-form.tsx";
import { usePlan } from "../_buy/use-plan.ts";
import { type Order, usePurchase } from "../_buy/use-purchase.ts";
import { useTyped } from "../_buy/use-typed.ts";

type BuyExamRoute = typeof import("#app/api/v1/vtu/exam/route.ts").POST;

interface Body extends Order {
  exam_type_id: number;
  quantity: number;
}

interface BuyExamPinsProps {
  shop: Shop;
  first: { typeId: number | undefined; quantity: string };
  /** The rows of the kinds of pins. */
  children: ReactNode;
}

const MOST = 20;

/** Exam pins: a kind, and how many. They have no recipient. */
export function BuyExamPins({ shop, first, children }: BuyExamPinsProps) {
  const count = useTyped(first.quantity);
  const { plan, choosePlan, choosePlanOf } = usePlan(first.typeId);
  const purchase = usePurchase<Body>("exam", shop.href, (caller, body, idempotencyKey) =>
    call<BuyExamRoute>(caller, "POST", "/api/v1/vtu/exam", { body, idempotencyKey }),
  );
  const { unanswered } = purchase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a body without an answer is found
  useEffect(() => {
    if (!unanswered) return;
    count.set(String(unanswered.quantity));
    choosePlanOf(unanswered.exam_type_id);
  }, [unanswered]);
  const quantity = quantityOf(count.text);
  const price = plan && quantity ? purchase.priceOf(plan) * BigInt(quantity) : undefined;
  return (
    <PurchaseForm
      shop={shop}
      label="Buy exam pins"
      fields={["plan", "quantity"]}
      purchase={purchase}
      lostText={(body) => `${naira(typedNaira(String(body.expected_price)) ?? 0n)} for ${pins(body.quantity)}`}
      draft={{
        order:
          plan && quantity && price !== undefined
            ? { body: { exam_type_id: plan.id, quantity, expected_price: Number(price) / 100 }, productId: plan.id, quantity }
            : undefined,
        errors: {
          ...(!plan && { plan: "Choose the exam." }),
          ...(!quantity && { quantity: `Enter how many pins: a whole number from 1 to ${MOST}.` }),
        },
        what: plan && (quantity && quantity > 1 ? `${plan.name} × ${quantity}` : plan.name),
        recipient: undefined,
        recipientText: undefined,
        price,
      }}
    >
      {(wrong) => (
        <>
          <PlanPicker label="Exam" example="WAEC, 3900" brand={undefined} chosen={plan} onChoose={choosePlan} error={wrong.plan}>
            {children}
          </PlanPicker>
          <Field label="How many pins" name="quantity" hint={`1 to ${MOST}`} error={wrong.quantity}>
            {(field) => (
              <span className="flex gap-2">
                <Step label="One pin less" sign="−" onClick={() => count.set(String(Math.max(1, (quantity ?? 1) - 1)))} />
                <Input
                  {...count.wiring}
                  {...field}
                  inputMode="numeric"
                  autoComplete="off"
                  maxLength={4}
                  className="w-20! text-center tabular-nums"
                />
                <Step label="One pin more" sign="+" onClick={() => count.set(String(Math.min(MOST, (quantity ?? 0) + 1)))} />
              </span>
            )}
          </Field>
        </>
      )}
    </PurchaseForm>
  );
}

const Step = ({ label, sign, onClick }: { label: string; sign: string; onClick: () => void }) => (
  <Button onClick={onClick} aria-label={label} className="min-w-11">
    {sign}
  </Button>
);

const pins = (quantity: number): string => (quantity === 1 ? "1 exam pin" : `${quantity} exam pins`);

/** Returns a number of pins from 1 to 20, or undefined for any other text. */
function quantityOf(text: string): number | undefined {
  const quantity = /^\s*\d{1,2}\s*$/.test(text) ? Number(text) : 0;
  return quantity >= 1 && quantity <= MOST ? quantity : undefined;
}
