import type { Column } from "#app/_exports/csv.ts";
import type { AuditEntry } from "#services/audit/index.ts";

export const columns: Column<AuditEntry>[] = [
  ["Time", ({ createdAt }) => createdAt],
  ["Number", ({ seq }) => seq],
  ["Action", ({ action }) => action],
  ["Author", ({ actor }) => actor.type],
  ["Author id", ({ actor }) => actor.id || null],
  ["Mode", ({ mode }) => mode],
  ["Thing", ({ subject }) => subject],
  ["Reason", ({ reason }) => reason],
  ["Before", ({ before }) => before && JSON.stringify(before)],
  ["After", ({ after }) => after && JSON.stringify(after)],
  ["Address", ({ address }) => address],
  ["Request", ({ requestId }) => requestId],
];
