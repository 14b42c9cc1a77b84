import { invalid, Problem } from "#lib/problem.ts";
import { newLinkReference } from "#lib/references.ts";
import type { MerchantContext } from "../../context.ts";
import { verb } from "../../verb.ts";
import type { CreatePaymentLink } from "../contract.ts";
import type { PaymentLink } from "../payment-link.ts";
import { openAtBank } from "./open-at-bank.ts";
import { findLinkByReference } from "./read-links.ts";
import { getReplaceableLink } from "./replaceable-link.ts";
import { type Opened, storeLink } from "./store-link.ts";

/**
 * Opens a one-time account and stores the link: one call to the bank, or to the next one where that is down, and one commit. Nothing is stored before the call, because nothing can be lost: no
 * payer knows the account until the link is stored, and a replay asks the bank with the same reference, which the claim of the
 * Idempotency-Key chose. With `replaces`, the link that is replaced is read before the call and checked again by the statement that stores.
 * Throws VALIDATION_ERROR, PROVIDER_UNAVAILABLE, and PROVIDER_ERROR (outcome `not_executed` where the bank refuses, `unknown` where it does
 * not answer).
 */
export const createPaymentLink = verb(
  { permission: "checkout:write" },
  async (ctx: MerchantContext, request: CreatePaymentLink): Promise<PaymentLink> => {
    refuseUnsafeCallback(ctx, request.callback_url);
    const reference = ctx.resourceId ?? newLinkReference(ctx.merchant.number);
    if (ctx.resumed) {
      const made = await findLinkByReference(ctx.merchant.id, reference);
      if (made) return made;
    }
    const replaced = request.replaces === undefined ? undefined : await getReplaceableLink(ctx, request.replaces, reference);
    const wanted = { reference, amount: request.amount, accountName: ctx.merchant.businessName };
    const { bank, accountReference, outcome } = await openAtBank(ctx, wanted);
    switch (outcome.status) {
      case "opened": {
        const opened = { reference, provider: bank.name, accountReference, account: outcome.account, replaced };
        return finish(ctx, await storeLink(ctx, request, opened), opened);
      }
      case "refused":
        throw new Problem("PROVIDER_ERROR", `${outcome.reason} No link was made. Try again.`, { outcome: "not_executed" });
      case "exists":
        // Final, because another attempt of this request cannot end otherwise, and no payer knows any of the accounts.
        throw new Problem("PROVIDER_ERROR", "The bank opened accounts and does not tell their numbers. No link was made. Try again.", {
          ...{ outcome: "not_executed", isFinal: true },
        });
      case "unknown":
        throw new Problem("PROVIDER_ERROR", "The bank did not answer. Send the same request again with the same Idempotency-Key.", {
          outcome: "unknown",
        });
    }
  },
);

/**
 * Returns the stored link. Reads it again where another request stored it first, or where a replay stored it after its time was over. Throws
 * VALIDATION_ERROR where nothing is stored, because the link to replace was paid or replaced during the call to the bank.
 */
async function finish(
  ctx: MerchantContext,
  stored: PaymentLink | undefined,
  { reference, replaced }: Pick<Opened, "reference" | "replaced">,
): Promise<PaymentLink> {
  if (stored && !stored.isDue) return stored;
  const made = await findLinkByReference(ctx.merchant.id, reference);
  if (made) return made;
  if (replaced) await getReplaceableLink(ctx, replaced.reference, reference);
  throw new Error(`link ${reference} was not stored`);
}

function refuseUnsafeCallback({ merchant }: MerchantContext, callbackUrl: string | undefined): void {
  if (merchant.mode === "live" && callbackUrl && !callbackUrl.toLowerCase().startsWith("https:")) {
    throw invalid("callback_url", "Send an https address: live mode takes no other.");
  }
}
