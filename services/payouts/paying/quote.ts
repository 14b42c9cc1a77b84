import { db } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import type { Quote } from "../payout.ts";
import { feeOfPayout } from "../rules/fees.ts";
import { type MerchantLimits, readLimits } from "../rules/limits.ts";
import { readPayable } from "../rules/payable.ts";
import { readRules } from "../rules/read-rules.ts";
import { needsTwoPeople, sentToday } from "./claim-payout.ts";

/** Returns the price of a payout of an amount, as `createPayout` computes it. Checks neither the balance nor the limits. */
export async function quotePayout({ merchant }: MerchantContext, amount: Money): Promise<Quote> {
  const fee = await feeOfPayout(db(), merchant, amount);
  const total = money(amount.minor + fee.minor, "NGN");
  const { available, payable } = await readPayable(db(), merchant, await readLimits(db(), merchant));
  const rules = await readRules(db(), merchant.id);
  return {
    ...{ amount, fee, total, payable, availableAfter: money(available.minor - total.minor, "NGN") },
    needsSecondPerson: needsTwoPeople(amount, rules, await sentToday(db(), merchant.id)),
  };
}

/** What a person sees before an amount is typed. */
export interface PayoutRoom {
  available: Money;
  payable: Money;
  /** Naira that came too short a time ago to be paid out. */
  fresh: Money;
  limits: MerchantLimits;
}

/** Returns how much of the wallet can be paid out now, and the operator's limits. */
export async function getPayoutRoom({ merchant }: MerchantContext): Promise<PayoutRoom> {
  const limits = await readLimits(db(), merchant);
  return { ...(await readPayable(db(), merchant, limits)), limits };
}
