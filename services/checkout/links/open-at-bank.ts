import { log } from "#lib/log.ts";
import type { Bank } from "#providers/bank.ts";
import type { MerchantContext } from "../../context.ts";
import { readFallbackBanks } from "../../merchants/index.ts";
import { banks } from "../../providers/index.ts";
import { isBankDown } from "../bank-health.ts";
import { canServe, requireWithinLimits } from "../bank-limits.ts";
import { type AccountToOpen, type Opening, openAccount } from "./open-account.ts";

type OpeningAt = Opening & { bank: Bank };

const openAt = async (bank: Bank, wanted: AccountToOpen): Promise<OpeningAt> => ({ bank, ...(await openAccount(bank, wanted)) });

/**
 * Opens the account of a link at the merchant's bank. Where that bank is down, or refuses, the next of the merchant's list opens it. No other bank is asked
 * once an opening is unknown: the account may be there. For the same reason a request that is tried again asks the merchant's own bank alone.
 */
export async function openAtBank(ctx: MerchantContext, wanted: AccountToOpen): Promise<OpeningAt> {
  const own = banks.for(ctx.merchant);
  requireWithinLimits(own, wanted.amount);
  if (ctx.resumed) return openAt(own, wanted);
  if (await isBankDown(own.name)) return (await openAtNext(ctx, own, wanted)) ?? openAt(own, wanted);
  const opening = await openAt(own, wanted);
  return opening.outcome.status === "refused" ? ((await openAtNext(ctx, own, wanted)) ?? opening) : opening;
}

/** Returns the first opening that is not refused, or undefined where the list has none. */
async function openAtNext({ merchant }: MerchantContext, own: Bank, wanted: AccountToOpen): Promise<OpeningAt | undefined> {
  for (const name of await readFallbackBanks(merchant.id)) {
    const bank = name === own.name ? undefined : banks.named(name);
    if (!bank || !canServe(bank, wanted.amount) || (await isBankDown(name))) continue;
    const opening = await openAt(bank, wanted);
    log().warn(
      { merchantId: merchant.id, own: own.name, provider: name, outcome: opening.outcome.status },
      "a link's account is opened at the next bank",
    );
    if (opening.outcome.status !== "refused") return opening;
  }
  return undefined;
}
