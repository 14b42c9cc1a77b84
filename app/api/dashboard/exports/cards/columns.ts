import { type Column, metadataText } from "#app/_exports/csv.ts";
import type { CardOfHolder } from "#services/cards/index.ts";

export const columns: Column<CardOfHolder>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Card", ({ id }) => id],
  ["Status", ({ status }) => status],
  ["Brand", ({ brand }) => brand],
  ["Name", ({ nickname }) => nickname],
  ["Last four digits", ({ last4 }) => last4],
  ["Expiry month", ({ expiryMonth }) => expiryMonth],
  ["Expiry year", ({ expiryYear }) => expiryYear],
  ["Balance", ({ balance }) => balance.minor],
  ["Currency", ({ balance }) => balance.currency],
  ["Cardholder", ({ cardholder }) => `${cardholder.firstName} ${cardholder.lastName}`],
  ["Cardholder id", ({ cardholderId }) => String(cardholderId)],
  ["Terminated", ({ terminatedAt }) => terminatedAt],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
