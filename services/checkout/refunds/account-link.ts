import { timingSafeEqual } from "node:crypto";
import type { Tx } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";
import { DAY_MS } from "#lib/time.ts";
import type { MerchantContext } from "../../context.ts";
import { countQueued, queueMail } from "../../mails/index.ts";
import { type LinkRow, orderNoOf } from "../payment-link.ts";
import type { RefundRow } from "../refund.ts";
import type { RefundKey } from "./refund-rows.ts";

const PURPOSE = "refund-account";
const TOKEN = /^(mer_\w{1,40})\.(rfd_\w{1,60})\.([0-9a-f]{64})$/;

const macOf = ({ merchantId, id }: RefundKey) => keyedHash(PURPOSE, `${merchantId}.${id}`);

/**
 * Returns the token of the link by which a customer names the account of a refund. Nothing is stored for it: it names the refund under a keyed hash, and
 * works while the refund needs an account and has none, so it works once.
 */
export const accountToken = (refund: RefundKey): string => `${refund.merchantId}.${refund.id}.${macOf(refund)}`;

/** Returns the refund that a token names, or undefined for a text that is no token of ours. */
export function refundOfToken(token: string): RefundKey | undefined {
  const [, merchantId, id, mac] = TOKEN.exec(token) ?? [];
  if (merchantId === undefined || id === undefined || mac === undefined) return undefined;
  const isOurs = timingSafeEqual(Buffer.from(mac), Buffer.from(macOf({ merchantId, id })));
  return isOurs ? { merchantId, id } : undefined;
}

/** To one address, from all merchants together: nobody shall be flooded from here. */
const MAX_MAILS_A_DAY = 5;

/** Mails the link to the customer's address on the payment link. No page shows it: the address of a payment's page travels by messengers. Throws RATE_LIMITED. */
export async function askForAccount(
  tx: Tx,
  ctx: MerchantContext,
  refund: RefundRow,
  { id, customerName, customerEmail }: LinkRow,
): Promise<void> {
  const { expiresAt, amount } = refund;
  if (customerEmail === null || expiresAt === null) throw new Error(`refund ${refund.id} asks nobody for an account`);
  if ((await countQueued(tx, { to: customerEmail, kinds: ["refund_account_needed"] }, DAY_MS)) >= MAX_MAILS_A_DAY) {
    throw new Problem("RATE_LIMITED", "This customer was asked for an account too often today. Wait a day, or refund everything at once.");
  }
  await queueMail(tx, ctx, {
    to: customerEmail,
    kind: "refund_account_needed",
    words: {
      ...{ name: customerName ?? "", business: ctx.merchant.businessName, orderNo: orderNoOf(id) },
      ...{ amount: money(amount, "NGN"), expiresAt, isTest: ctx.merchant.mode === "test" },
      link: `${settings().DASHBOARD_URL}/refund-account?token=${accountToken(refund)}`,
    },
  });
}
