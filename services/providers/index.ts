export { isOffered, modeOf } from "./mode.ts";
export { hasRoundTrip, requireGreen, storeCheck, storeRoundTrip } from "./provider-check.ts";
export { aggregators, banks, issuers, payoutBanks, registries, requireKnownProviders, sandboxBanks } from "./registries.ts";
export type { ProviderKind } from "./registry.ts";
export { sandboxBankFor, sandboxIssuerFor } from "./sandbox-providers.ts";
