import type { Column } from "#app/_exports/csv.ts";
import type { LoggedRequest } from "#app/(dashboard)/b/[business]/[mode]/developers/requests/to-view.ts";

/** Names of fields, addresses and problems are not here: the list does not show them, and each request's own page does. */
export const columns: Column<LoggedRequest>[] = [
  ["Time", ({ createdAt }) => createdAt],
  ["Method", ({ method }) => method],
  ["Path", ({ path }) => path],
  ["Status", ({ status }) => status],
  ["Error", ({ errorCode }) => errorCode],
  ["Milliseconds", ({ durationMs }) => durationMs],
  ["Request", ({ id }) => id],
];
