import type { Column } from "#app/_exports/csv.ts";
import type { WalletTransaction } from "#services/ledger/index.ts";

export const columns: Column<WalletTransaction>[] = [
  ["Time", ({ createdAt }) => createdAt],
  ["Type", ({ type }) => type],
  ["Direction", ({ direction }) => direction],
  ["Amount", ({ direction, amount }) => (direction === "credit" ? amount.minor : -amount.minor)],
  ["Balance after", ({ balanceAfter }) => balanceAfter.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Reference", ({ reference }) => reference],
  ["Moved by", ({ related }) => related?.type],
  ["Id of what moved it", ({ related }) => related?.id],
  ["Transfer", ({ id }) => id],
];
