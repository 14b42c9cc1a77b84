import { and, eq } from "drizzle-orm";
import { db } from "#db/client.ts";
import { paymentLinks } from "#db/schema/checkout.ts";
import { banks } from "../../providers/index.ts";
import type { PaymentLink } from "../payment-link.ts";

/** `bank`: the bank that took the payment sends it back. `mail`: the customer is asked for an account. `none`: nobody can be asked, or the bank is not connected. */
export type RefundWay = "bank" | "mail" | "none";

/** Returns how money of a link would go back now, for a screen that says so before the click. */
export async function findRefundWay({ merchantId, id, customerEmail }: PaymentLink): Promise<RefundWay> {
  const [link] = await db()
    .select({ provider: paymentLinks.provider })
    .from(paymentLinks)
    .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, id)));
  const bank = link && banks.named(link.provider);
  if (bank?.refunds) return "bank";
  return bank && customerEmail !== null ? "mail" : "none";
}
