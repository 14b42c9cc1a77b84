"use client";

import { useEffect, useState } from "react";
import { type Caller, call } from "#app/_client/call.ts";
import { inFours, isMeter, typedNaira, typedNumber } from "#components/top-ups/numbers.ts";
import { naira, type Shop } from "#components/top-ups/pay-box.tsx";
import type { Recent } from "#components/top-ups/recents.tsx";
import { Segments } from "#components/top-ups/segments.tsx";
import { Field } from "#components/ui/field.tsx";
import { Select } from "#components/ui/select.tsx";
import { AmountField, wrongAmount } from "../_buy/amount-field.tsx";
import { NumberField } from "../_buy/number-field.tsx";
import { type Draft, PurchaseForm } from "../_buy/purchase-form.tsx";
import { useCustomer } from "../_buy/use-customer.ts";
import { type Order, usePurchase } from "../_buy/use-purchase.ts";
import { useTyped } from "../_buy/use-typed.ts";

type BuyElectricityRoute = typeof import("#app/api/v1/vtu/electricity/route.ts").POST;
type VerifyElectricity = typeof import("#app/api/v1/vtu/electricity/verify/route.ts").POST;

interface Meter {
  disco_id: number;
  meter_number: string;
  meter_type: string;
}

interface Body extends Order, Meter {
  /** Naira. */
  amount: number;
}

interface Disco {
  id: number;
  name: string;
  hasLetters: boolean;
}

interface BuyElectricityProps {
  shop: Shop;
  discos: readonly Disco[];
  recents: readonly Recent[];
  first: { disco: string; meter: string; meterType: string | undefined; amount: string };
}

const TYPES = [
  { value: "Prepaid", label: "Prepaid" },
  { value: "Postpaid", label: "Postpaid" },
];
const AMOUNTS = [1_000, 2_000, 5_000, 10_000, 20_000];
const LEAST = 50_000n;
const MOST = 10_000_000n;

const ask = async (caller: Caller, body: Meter) =>
  (await call<VerifyElectricity>(caller, "POST", "/api/v1/vtu/electricity/verify", { body })).data;

/** Light for a meter: the disco, the meter, whose it is, and an amount. */
export function BuyElectricity({ shop, discos, recents, first }: BuyElectricityProps) {
  const disco = useTyped<HTMLSelectElement>(first.disco);
  const meter = useTyped(first.meter && inFours(first.meter));
  const amount = useTyped(first.amount);
  const [meterType, setMeterType] = useState(first.meterType ?? "Prepaid");
  const purchase = usePurchase<Body>("electricity", shop.href, (caller, body, idempotencyKey) =>
    call<BuyElectricityRoute>(caller, "POST", "/api/v1/vtu/electricity", { body, idempotencyKey }),
  );
  const { unanswered } = purchase;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a body without an answer is found
  useEffect(() => {
    if (!unanswered) return;
    disco.set(String(unanswered.disco_id));
    meter.set(inFours(unanswered.meter_number));
    amount.set(String(unanswered.amount));
    setMeterType(unanswered.meter_type);
  }, [unanswered]);
  const chosen = discos.find(({ id }) => String(id) === disco.text);
  const given = meterOf(chosen, meter.text, meterType);
  const customer = useCustomer(given, ask);
  const draft = draftOf(chosen, given, amount.text);
  return (
    <PurchaseForm
      shop={shop}
      label="Buy electricity"
      fields={["disco", "meter_number", "meter_type", "amount"]}
      purchase={purchase}
      lostText={(body) => `${naira(typedNaira(String(body.amount)) ?? 0n)} for meter ${inFours(body.meter_number)}`}
      draft={{ ...draft, name: customer.state === "found" ? customer.name : undefined }}
    >
      {(wrong) => (
        <>
          <Field label="Disco" name="disco" error={wrong.disco}>
            {(field) => (
              <span className="block max-w-md">
                <Select {...disco.wiring} {...field}>
                  <option value="">Choose the disco</option>
                  {discos.map(({ id, name }) => (
                    <option key={id} value={id}>
                      {name}
                    </option>
                  ))}
                </Select>
              </span>
            )}
          </Field>
          <Segments label="Kind of meter" name="meter_type" choices={TYPES} value={meterType} onChange={setMeterType} />
          <NumberField
            label="Meter number"
            name="meter_number"
            hint={chosen?.hasLetters ? "11 or 13 digits, or letters and digits." : "11 or 13 digits."}
            wiring={meter.wiring}
            hasLetters={chosen?.hasLetters ?? true}
            customer={customer}
            recents={recents}
            error={wrong.meter_number}
            onRecent={(recent) => {
              meter.set(recent.text);
              disco.set(String(recent.productId));
              setMeterType(recent.variant ?? "Prepaid");
            }}
          />
          <AmountField wiring={amount.wiring} amounts={AMOUNTS} onAmount={amount.set} hint="₦500 to ₦100,000" error={wrong.amount} />
        </>
      )}
    </PurchaseForm>
  );
}

function meterOf(disco: Disco | undefined, text: string, meterType: string): Meter | undefined {
  const number = typedNumber(text);
  return disco && isMeter(number, disco.hasLetters) ? { disco_id: disco.id, meter_number: number, meter_type: meterType } : undefined;
}

function draftOf(disco: Disco | undefined, meter: Meter | undefined, amount: string): Draft<Body> {
  const minor = typedNaira(amount);
  const badAmount = wrongAmount(minor, LEAST, MOST);
  const price = Number(minor ?? 0n) / 100;
  return {
    order:
      meter && !badAmount
        ? { body: { ...meter, amount: price, expected_price: price }, productId: meter.disco_id, quantity: 1 }
        : undefined,
    errors: {
      ...(!disco && { disco: "Choose the disco." }),
      ...(!meter && { meter_number: "Enter the number on the meter: 11 or 13 digits." }),
      ...(badAmount && { amount: badAmount }),
    },
    what: disco && `${disco.name.replace(/\s*\(.*\)$/, "")} ${meter?.meter_type.toLowerCase() ?? ""}`.trim(),
    recipient: meter?.meter_number,
    recipientText: meter && inFours(meter.meter_number),
    price: badAmount ? undefined : minor,
  };
}
