import { type Column, metadataText, phoneText } from "#app/_exports/csv.ts";
import type { Cardholder } from "#services/cards/index.ts";

export const columns: Column<Cardholder>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Cardholder id", ({ id }) => String(id)],
  ["First name", ({ firstName }) => firstName],
  ["Last name", ({ lastName }) => lastName],
  ["Email", ({ email }) => email],
  ["Phone", ({ phone }) => phone && phoneText(phone)],
  ["Identity check", ({ kycStatus }) => kycStatus],
  ["Reason of a rejection", ({ kycRejectionReason }) => kycRejectionReason],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
