import { AGGREGATORS, BANKS, ISSUERS, PAYOUT_BANKS, SANDBOX_BANKS, SANDBOX_ISSUERS } from "./adapters.ts";
import { Registry } from "./registry.ts";

export const banks = new Registry("bank", BANKS);
/** The payouts of banks: a merchant's bank pays its money out. */
export const payoutBanks = new Registry("bank", PAYOUT_BANKS);
export const issuers = new Registry("issuer", ISSUERS);
export const aggregators = new Registry("aggregator", AGGREGATORS);
/** The test banks at which the API plays payers. */
export const sandboxBanks = new Registry("bank", SANDBOX_BANKS);
/** The test issuers at which the API plays shops. */
export const sandboxIssuers = new Registry("issuer", SANDBOX_ISSUERS);

export const registries = { bank: banks, issuer: issuers, aggregator: aggregators };

/** Throws `BadSettings` where a setting names a provider that has no live adapter. */
export function requireKnownProviders(): void {
  for (const registry of Object.values(registries)) registry.requireKnownDefault();
}
