import { type Column, metadataText, phoneText } from "#app/_exports/csv.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";

/** A purchase with the brand of its product: a network, a broadcaster, a disco. */
export interface ExportedPurchase extends VisiblePurchase {
  brand: string | undefined;
}

const isFor = (...services: ExportedPurchase["service"][]) => {
  const known = new Set<string>(services);
  return ({ service }: ExportedPurchase) => known.has(service);
};
const [forPhone, ofAirtime, ofCable, ofElectricity, ofPlan] = [
  isFor("airtime", "data"),
  isFor("airtime"),
  isFor("cable"),
  isFor("electricity"),
  isFor("data", "cable"),
];

/**
 * Tokens and pins are not here: a file is copied and sent on, and the purchase's own page shows them to members who may see them. From "Phone" to
 * "Amount" the columns are those of a file of top-ups, so that the purchases of one service can be uploaded again as they are. Beside "Amount"
 * there is no other amount column, because an upload could read it as the second half of an amount that a comma has split.
 */
export const columns: Column<ExportedPurchase>[] = [
  ["Created", ({ createdAt }) => createdAt],
  ["Reference", ({ id }) => id],
  ["Service", ({ service }) => service],
  ["Status", ({ status }) => status],
  ["Product", ({ productName }) => productName],
  ["Variant", ({ variant }) => variant],
  ["Recipient", ({ recipient }) => recipient && phoneText(recipient)],
  ["Quantity", ({ quantity }) => quantity],
  [
    "Phone",
    (purchase) =>
      forPhone(purchase) && purchase.variant !== "Sharesell" && purchase.recipient !== null ? phoneText(purchase.recipient) : null,
  ],
  ["Network", (purchase) => (ofAirtime(purchase) ? purchase.brand : null)],
  ["Smart card", (purchase) => (ofCable(purchase) ? purchase.recipient : null)],
  ["Plan id", (purchase) => (ofPlan(purchase) ? purchase.productId : null)],
  ["Meter", (purchase) => (ofElectricity(purchase) ? purchase.recipient : null)],
  ["Disco", (purchase) => (ofElectricity(purchase) ? purchase.productName : null)],
  ["Meter type", (purchase) => (ofElectricity(purchase) ? purchase.variant : null)],
  ["Amount", ({ amount }) => amount.minor],
  ["Currency", ({ amount }) => amount.currency],
  ["Refunded", ({ refunded }) => refunded.minor],
  ["Units", ({ units }) => units],
  ["Reason of a failure", ({ failureReason }) => failureReason],
  ["Completed", ({ completedAt }) => completedAt],
  ["Metadata", ({ metadata }) => metadataText(metadata)],
];
