import { type Column, metadataText, phoneText } from "#app/_exports/csv.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";

/** Tokens and pins are not here: a file is copied and sent on, and the purchase's own page shows them to whoever may see them. */
export const columns: Column<VisiblePurchase>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Reference", ({ id }) => id],
  ["Service", ({ service }) => service],
  ["Status", ({ status }) => status],
  ["Product", ({ productName }) => productName],
  ["Variant", ({ variant }) => variant],
  ["Recipient", ({ recipient }) => recipient && phoneText(recipient)],
  ["Quantity", ({ quantity }) => quantity],
  ["Amount", ({ amount }) => amount.minor],
  ["Refunded", ({ refunded }) => refunded.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Units", ({ units }) => units],
  ["Reason of a failure", ({ failureReason }) => failureReason],
  ["Completed", ({ completedAt }) => completedAt],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
