import { type Column, metadataText } from "#app/_exports/csv.ts";
import type { PaymentLink } from "#services/checkout/index.ts";

export const columns: Column<PaymentLink>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Reference", ({ reference }) => reference],
  ["Order number", ({ orderNo }) => orderNo],
  ["Status", ({ status }) => status],
  ["Amount", ({ amount }) => amount.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Description", ({ description }) => description],
  ["Customer name", ({ customerName }) => customerName],
  ["Customer email", ({ customerEmail }) => customerEmail],
  ["Paid", ({ paidAt }) => paidAt],
  ["Taken back by the bank", ({ recalledAt }) => recalledAt],
  ["Expires", ({ expiresAt }) => expiresAt],
  ["Bank", ({ bankName }) => bankName],
  ["Account number", ({ accountNumber }) => accountNumber],
  ["Transfers returned", ({ transfers }) => transfers.filter(({ disposition }) => disposition === "returned").length],
  ["Replaces", ({ replaces }) => replaces],
  ["Replaced by", ({ replacedBy }) => replacedBy],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
