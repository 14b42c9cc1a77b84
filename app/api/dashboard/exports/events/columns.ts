import type { Column } from "#app/_exports/csv.ts";
import { subjectOf } from "#app/(dashboard)/b/[business]/[mode]/developers/events/to-view.ts";
import type { MerchantEvent } from "#services/events/index.ts";

/** Of an event's data the file has only the column that the list shows: the reference or id of the event's subject. */
export const columns: Column<MerchantEvent>[] = [
  ["Time", ({ createdAt }) => createdAt],
  ["Type", ({ type }) => type],
  ["About", (event) => subjectOf(event)],
  ["Sequence", ({ sequence }) => Number(sequence)],
  ["Event", ({ id }) => id],
];
