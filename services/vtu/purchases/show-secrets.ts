import { LRUCache } from "lru-cache";
import { transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { CannotOpen } from "#lib/sealed.ts";
import { shared } from "#lib/shared.ts";
import { HOUR_MS } from "#lib/time.ts";
import { noteInAudit } from "../../audit/index.ts";
import type { MerchantContext } from "../../context.ts";
import { mayRole } from "../../members/index.ts";
import { openSecrets } from "../delivery.ts";
import { type PurchaseRow, purchaseFromRow, type VisiblePurchase } from "../purchase.ts";

/** Returns a purchase for a list. Lists show tokens and pins to API keys, and to no member. */
export const showInList = (ctx: MerchantContext, row: PurchaseRow): VisiblePurchase => (isMember(ctx) ? withheld(row) : opened(row));

/**
 * Returns one purchase with its tokens and pins, unless the caller is a member whose role may not see them. Notes in the audit that a
 * member views them, before they are shown, once an hour.
 */
export async function showOne(ctx: MerchantContext, row: PurchaseRow): Promise<VisiblePurchase> {
  if (!isMember(ctx)) return opened(row);
  if (!mayViewTokens(ctx)) return withheld(row);
  const purchase = opened(row);
  if (purchase.hasSecrets && purchase.secrets !== "unavailable") await noteView(ctx, row);
  return purchase;
}

const isMember = ({ actor }: MerchantContext): boolean => actor.type === "member";

const mayViewTokens = ({ role, merchant }: MerchantContext): boolean => role !== undefined && mayRole(role, "vtu:tokens", merchant.mode);

/** Returns a purchase without its tokens and pins. */
export const withheld = (row: PurchaseRow): VisiblePurchase => ({ ...purchaseFromRow(row), secrets: "withheld" });

/** Opens the tokens and pins of a row. One that cannot be opened is logged, without its text, so that it fails no other row of a list. */
function opened(row: PurchaseRow): VisiblePurchase {
  const purchase = purchaseFromRow(row);
  try {
    return { ...purchase, secrets: openSecrets(row) };
  } catch (error) {
    if (!(error instanceof CannotOpen)) throw error;
    const { merchantId, id: purchaseId } = row;
    log().error({ merchantId, purchaseId }, "the tokens of a purchase cannot be opened: was OJA_SECRET_KEY changed?");
    return { ...purchase, secrets: "unavailable" };
  }
}

/** Views that this process has noted. Reloading a page adds no further entry within the hour, so that reloads cannot flood the audit. */
const noted = shared("seen-secrets", () => new LRUCache<string, true>({ max: 10_000, ttl: HOUR_MS }));

async function noteView(ctx: MerchantContext, { merchantId, id }: PurchaseRow): Promise<void> {
  const view = `${ctx.actor.id}/${id}`;
  if (noted.has(view)) return;
  await transaction((tx) => noteInAudit(tx, ctx, { merchantId, action: "purchase.tokens_viewed", subject: id }));
  noted.set(view, true);
}
