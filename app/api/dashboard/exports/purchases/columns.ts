import { type Column, metadataText, phoneText } from "#app/_exports/csv.ts";
import type { VisiblePurchase } from "#services/vtu/index.ts";

/** A purchase with the network or the like of its product. */
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
 * stands no other amount, which an upload could take for digits that a comma has split.
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
