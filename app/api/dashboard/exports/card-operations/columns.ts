import type { Column } from "#app/_exports/csv.ts";
import type { OperationOfCard } from "#services/cards/index.ts";
import { toRateNumber } from "#services/exchange/index.ts";

export const columns: Column<OperationOfCard>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Reference", ({ reference }) => reference],
  ["Type", ({ type }) => type],
  ["Status", ({ status }) => status],
  ["Amount", ({ amount }) => amount.minor],
  ["Fee", ({ fee }) => fee.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Exchange rate", ({ exchangeRate }) => exchangeRate && toRateNumber(exchangeRate)],
  ["Wallet amount", ({ walletAmount }) => walletAmount.minor],
  ["Wallet currency", ({ walletAmount }) => walletAmount.currency],
  ["Reason of a failure", ({ failureReason }) => failureReason],
  ["Card", ({ card }) => card.id],
  ["Card name", ({ card }) => card.nickname],
  ["Last four digits", ({ card }) => card.last4],
  ["Cardholder", ({ card }) => `${card.cardholder.firstName} ${card.cardholder.lastName}`],
  ["Operation", ({ id }) => id],
];
