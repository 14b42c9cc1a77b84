import { settings } from "#lib/env.ts";
import type { Aggregator } from "#providers/aggregator.ts";
import type { Bank } from "#providers/bank.ts";

let serial = (process.pid % 1_000) * 1_000_000;

/** A bank in this process that opens accounts at once, so that the bench measures us and not the sandbox behind HTTP. */
const instantBank: Bank = {
  name: "bench",
  openAccount: async ({ reference, accountName }) => ({
    status: "opened",
    account: {
      providerReference: reference,
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
  readNotice: () => undefined,
};

/** Delivers at once, for the same reason. */
const instantAggregator: Aggregator = {
  name: "sandbox",
  capabilities: { visibleWithinMs: 1_000 },
  listProducts: async () => ({ status: "unknown" }),
  verifyCustomer: async () => ({ status: "unknown" }),
  buy: async () => ({ status: "delivered", delivery: { tokens: [], units: null, pins: [] } }),
  readPurchase: async () => ({ status: "unknown" }),
  readNotice: () => undefined,
};

export const AGGREGATOR_NAMES = [instantAggregator.name];
export const aggregatorFor = (): Aggregator => instantAggregator;
export const aggregatorNamed = (): Aggregator => instantAggregator;
export const allBanks = (): Bank[] => [instantBank];
export const bankFor = (): Bank => instantBank;
export const bankNamed = (): Bank => instantBank;
export const sandboxBankFor = (): never => {
  throw new Error("the bench has no sandbox");
};
export const sandboxBankNamed = () => undefined;
export const modeOf = () => "test" as const;
// Cards are not measured: their issuers are the product's own.
export { ISSUER_NAMES, issuerFor, issuerNamed, shopsOf } from "#services/providers/issuer-for.ts";
