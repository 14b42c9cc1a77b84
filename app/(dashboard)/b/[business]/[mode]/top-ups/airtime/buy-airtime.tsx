"use client";

import { useEffect, useState } from "react";
import { call } from "#app/_client/call.ts";
import { phoneText, typedNaira, typedPhone } from "#components/top-ups/numbers.ts";
import { naira, type Shop } from "#components/top-ups/pay-box.tsx";
import type { Recent } from "#components/top-ups/recents.tsx";
import { Segments } from "#components/top-ups/segments.tsx";
import { AmountField, wrongAmount } from "../_buy/amount-field.tsx";
import { guessOf, PhoneField, WRONG_PHONE } from "../_buy/phone-field.tsx";
import { PurchaseForm } from "../_buy/purchase-form.tsx";
import { type Order, usePurchase } from "../_buy/use-purchase.ts";
import { useTyped } from "../_buy/use-typed.ts";

type BuyAirtimeRoute = typeof import("#app/api/v1/vtu/airtime/route.ts").POST;

interface Body extends Order {
  network: string;
  /** E.164. */
  phone: string;
  /** Naira. */
  amount: number;
}

interface BuyAirtimeProps {
  shop: Shop;
  networks: readonly { value: string; label: string }[];
  /** By network. */
  productIds: Readonly<Record<string, number>>;
  recents: readonly Recent[];
  first: { phone: string; network: string | undefined; amount: string };
}

const AMOUNTS = [100, 200, 500, 1_000, 2_000, 5_000];
const LEAST = 5_000n;
const MOST = 5_000_000n;

/** Airtime for a phone: the number, its network and an amount. */
export function BuyAirtime({ shop, networks, productIds, recents, first }: BuyAirtimeProps) {
  const phone = useTyped(first.phone && phoneText(first.phone));
  const amount = useTyped(first.amount);
  const [choice, setChoice] = useState(first.network);
  const purchase = usePurchase<Body>("airtime", shop.href, (caller, body, idempotencyKey) =>
    call<BuyAirtimeRoute>(caller, "POST", "/api/v1/vtu/airtime", { body, idempotencyKey }),
  );
  const { unanswered } = purchase;
  const { set: setPhone } = phone;
  const { set: setAmount } = amount;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when a body without an answer is found
  useEffect(() => {
    if (!unanswered) return;
    setPhone(phoneText(unanswered.phone));
    setAmount(String(unanswered.amount));
    setChoice(unanswered.network);
  }, [unanswered]);
  const { guess, hint } = guessOf(phone.text, choice, networks);
  const network = choice ?? guess;
  const number = typedPhone(phone.text);
  const minor = typedNaira(amount.text);
  const badAmount = wrongAmount(minor, LEAST, MOST);
  const productId = network === undefined ? undefined : productIds[network];
  const isWhole = number !== undefined && network !== undefined && productId !== undefined && minor !== undefined && !badAmount;
  const price = Number(minor ?? 0n) / 100;
  const label = networks.find(({ value }) => value === network)?.label;
  const errors = {
    ...(!number && { phone: WRONG_PHONE }),
    ...(productId === undefined && { network: "Choose the network." }),
    ...(badAmount && { amount: badAmount }),
  };
  return (
    <PurchaseForm
      shop={shop}
      label="Buy airtime"
      fields={["phone", "network", "amount"]}
      purchase={purchase}
      lostText={(body) => `${naira(typedNaira(String(body.amount)) ?? 0n)} airtime for ${phoneText(body.phone)}`}
      draft={{
        order: isWhole ? { body: { network, phone: number, amount: price, expected_price: price }, productId, quantity: 1 } : undefined,
        errors,
        what: label && `${label} airtime`,
        recipient: number,
        recipientText: number && phoneText(number),
        price: badAmount ? undefined : minor,
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
              setChoice(recent.brand);
            }}
          />
          <Segments
            label="Network"
            name="network"
            choices={networks}
            value={network}
            onChange={setChoice}
            hint={hint}
            error={wrong.network}
          />
          <AmountField wiring={amount.wiring} amounts={AMOUNTS} onAmount={amount.set} hint="₦50 to ₦50,000" error={wrong.amount} />
        </>
      )}
    </PurchaseForm>
  );
}
