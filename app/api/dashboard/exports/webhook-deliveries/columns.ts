import type { Column } from "#app/_exports/csv.ts";
import type { DeliveryRow } from "#components/developers/deliveries-list.tsx";
import type { Delivery } from "#services/webhooks/index.ts";

export interface ListedDelivery {
  delivery: Delivery;
  /** As the list shows it. */
  row: DeliveryRow;
}

/** An endpoint is its host alone, as in the list: merchants put secrets into paths and queries. Errors and bodies of answers are not here either. */
export const columns: Column<ListedDelivery>[] = [
  ["Event of", ({ delivery }) => delivery.createdAt],
  ["Type", ({ delivery }) => delivery.eventType],
  ["Status", ({ delivery }) => delivery.status],
  ["Last answer", ({ row }) => row.answer],
  ["Tries", ({ delivery }) => delivery.attemptCount],
  ["Endpoint", ({ row }) => row.host],
  ["Endpoint id", ({ delivery }) => delivery.endpointId],
  ["Event", ({ delivery }) => delivery.eventId],
  ["Delivery", ({ delivery }) => delivery.id],
];
