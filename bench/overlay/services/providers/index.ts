import { settings } from "#lib/env.ts";
import type { Aggregator } from "#providers/aggregator.ts";
import type { Bank } from "#providers/bank.ts";
import { sandboxBank } from "#providers/sandbox/bank.ts";

let serial = (process.pid % 1_000) * 1_000_000;

/** A bank in this process that opens accounts at once, so that the bench measures the product and not the sandbox. */
const instantBank: Bank = {
  name: "bench",
  capabilities: sandboxBank({ url: "", requestSecret: "", noticeSecret: "" }).capabilities,
  openAccount: async ({ reference, accountName }) => ({
    status: "opened",
    account: {
      accountNumber: String(++serial).padStart(10, "0"),
      accountName,
      bankName: "Bench Bank",
      checkoutUrl: `${settings().BASE_URL}/bench/${reference}`,
      openedAt: new Date(),
    },
  }),
  closeAccount: async () => "closed",
  isUp: async () => true,
  returnTransfer: async () => "returned",
  readStatement: async () => ({ status: "unknown" }),
  readAccount: async () => ({ status: "read", transfers: [] }),
  // Uses the sandbox bank's parser, which checks a signature and the shape like any other adapter.
  readNotice: (headers, body) =>
    sandboxBank({ url: "", requestSecret: "", noticeSecret: settings().OJA_SECRET_KEY }).readNotice(headers, body),
};

/** An aggregator in this process that delivers at once, for the same reason. */
const instantAggregator: Aggregator = {
  name: "sandbox",
  capabilities: { visibleWithinMs: 1_000 },
  listProducts: async () => ({ status: "unknown" }),
  verifyCustomer: async () => ({ status: "unknown" }),
  buy: async () => ({ status: "delivered", delivery: { tokens: [], units: null, pins: [] } }),
  readPurchase: async () => ({ status: "unknown" }),
  readNotice: () => undefined,
};

const only = <Provider extends { name: string }>(provider: Provider) => ({
  names: () => [provider.name],
  all: () => [provider],
  named: () => provider,
  for: () => provider,
});

export const banks = only(instantBank);
export const aggregators = only(instantAggregator);
export const sandboxBanks = { named: () => undefined };
export const sandboxBankFor = (): never => {
  throw new Error("the bench has no sandbox");
};
export const modeOf = () => "test" as const;
export const isOffered = () => true;
export const requireKnownProviders = () => {};
export { issuers, registries } from "#services/providers/registries.ts";
// Cards are not measured: their issuers are the product's own.
export { sandboxIssuerFor } from "#services/providers/sandbox-providers.ts";
