import { LRUCache } from "lru-cache";
import { Problem } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import type { BankInList, PayoutBank } from "#providers/payout-bank.ts";
import type { MerchantContext } from "../../context.ts";
import { payoutBanks } from "../../providers/index.ts";

/** Lists of banks by provider. Banks seldom change, and a list at a provider takes seconds, so callers at once wait for the same one. */
const known = new LRUCache<string, BankInList[], PayoutBank>({
  ...{ max: 20, ttl: HOUR_MS },
  fetchMethod: (_name, _stale, { context: bank }) => read(bank),
});

async function read(bank: PayoutBank): Promise<BankInList[]> {
  const listed = await bank.listBanks();
  if (listed.status !== "found") throw new Problem("PROVIDER_ERROR", "The list of banks could not be read. Try again in a minute.");
  return listed.found.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

/** Returns the banks to which the merchant's money can be paid out, by name. Throws PROVIDER_UNAVAILABLE and PROVIDER_ERROR. */
export const listBanks = async ({ merchant }: MerchantContext): Promise<BankInList[]> => listBanksAt(payoutBanks.for(merchant));

/** Returns the banks to which a bank sends money, by name. Throws PROVIDER_ERROR. */
export const listBanksAt = (bank: PayoutBank): Promise<BankInList[]> => known.forceFetch(bank.name, { context: bank });
