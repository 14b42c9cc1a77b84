import { kindOf } from "#components/top-ups/kinds.tsx";
import { recipientText } from "#components/top-ups/numbers.ts";
import type { TopUpRow } from "#components/top-ups/top-ups-list.tsx";
import type { MemberContext } from "#services/context.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";

/** Returns what was bought: `WAEC result checker × 3`. That airtime is VTU goes without saying. */
export const whatWasBought = ({ productName, quantity }: Pick<VisiblePurchase, "productName" | "quantity">): string =>
  quantity > 1 ? `${productName} × ${quantity}` : productName.replace(/ \(VTU\)$/, "");

/** Returns what the list shows of a purchase. */
export const toTopUpRow = (purchase: VisiblePurchase, path: string): TopUpRow => ({
  href: `${path}/${purchase.id}`,
  reference: purchase.id,
  what: whatWasBought(purchase),
  recipient: purchase.recipient && recipientText(purchase.recipient),
  status: purchase.status,
  amount: purchase.amount,
  refunded: purchase.status === "success" && purchase.refunded.minor > 0n ? purchase.refunded : undefined,
  createdAt: purchase.createdAt,
});

/** Returns the page on which a purchase can be bought again, filled in. */
export const againHref = ({ id, service }: Pick<VisiblePurchase, "id" | "service">, path: string): string =>
  `${path}/${kindOf(service).segment}?again=${id}`;

/** Returns why the reader cannot buy, or undefined. The layout has said already that the business is suspended. */
export function closedBecause({ merchant }: MemberContext, mayBuy: boolean, whoMay: string): string | undefined {
  if (merchant.aggregator === null) return "Top-ups are not set up in live mode yet. Ask the people who run this service.";
  if (merchant.status === "suspended") return "Nothing can be bought while your business is suspended.";
  return mayBuy ? undefined : `You can see top-ups, and not buy them. ${whoMay}`;
}
