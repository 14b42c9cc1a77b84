import { naira } from "#lib/money.ts";
import {
  createPaymentLink,
  createRefund,
  getLinkByReference,
  getRefund,
  listRefundsOfLink,
  type PaymentLink,
  type Refund,
} from "../checkout/index.ts";
import type { MerchantContext, OperatorContext } from "../context.ts";
import { readMerchantsOf } from "../merchants/index.ts";
import { storeRoundTrip } from "../providers/index.ts";
import { verb } from "../verb.ts";
import { liveBankNamed } from "./live-bank.ts";

// A round trip: an operator pays a real link of ₦100, which belongs to the platform's own merchant, and the money goes back to the operator's account.

const AMOUNT = naira(100);
const PLATFORM = "mer_platform_live";

async function platformAt(ctx: OperatorContext, bank: string): Promise<MerchantContext> {
  const [merchant] = await readMerchantsOf([PLATFORM]);
  if (!merchant) throw new Error(`there is no merchant ${PLATFORM}`);
  return { ...ctx, merchant: { ...merchant, bank } };
}

/** Makes the link of a round trip at a live bank. Throws as `checkLive` and `createPaymentLink` do. */
export const beginRoundTrip = verb({ actor: ["operator"] }, async (ctx: OperatorContext, bank: string): Promise<PaymentLink> => {
  liveBankNamed(bank);
  return createPaymentLink(await platformAt(ctx, bank), { amount: AMOUNT, description: "A round trip of ₦100", metadata: {} });
});

/** Returns the link of a round trip as it is now. */
export const getRoundTrip = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, bank: string, reference: string): Promise<PaymentLink> =>
    getLinkByReference(await platformAt(ctx, bank), reference),
);

/**
 * Sends the money of a round trip back, where the bank refunds by itself. Returns the refund, or undefined at a bank that does not: the money then stays in the
 * platform's wallet. Throws as `createRefund` does.
 */
export const refundRoundTrip = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, name: string, reference: string): Promise<Refund | undefined> => {
    const { bank } = liveBankNamed(name);
    const platform = await platformAt(ctx, name);
    const link = await getLinkByReference(platform, reference);
    const [refund] = await listRefundsOfLink(platform, link.id, 1);
    if (refund || !bank.refunds) return refund;
    return createRefund(platform, { reference, reason: "A round trip of ₦100" });
  },
);

/**
 * Takes note of a round trip, so that `checkLive` knows of it. Throws an Error unless ₦100 have come and, at a bank that refunds by itself, have gone back.
 */
export const recordRoundTrip = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, name: string, reference: string): Promise<void> => {
    const { bank } = liveBankNamed(name);
    const platform = await platformAt(ctx, name);
    const link = await getLinkByReference(platform, reference);
    const isPaid = link.status === "success" && link.amount.minor === AMOUNT.minor;
    const [refund] = bank.refunds ? await listRefundsOfLink(platform, link.id, 1) : [];
    if (!isPaid || (bank.refunds && refund?.status !== "paid")) throw new Error(`round trip ${reference} is not over`);
    await storeRoundTrip(name);
  },
);

/** Returns the refund of a round trip as it is now. */
export const getRoundTripRefund = verb(
  { actor: ["operator"] },
  async (ctx: OperatorContext, bank: string, refundId: string): Promise<Refund> => getRefund(await platformAt(ctx, bank), refundId),
);
