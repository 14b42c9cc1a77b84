import type { ChangedField } from "#components/settings/audit-detail.tsx";
import type { AuditEntry } from "#services/audit/index.ts";

type Value = NonNullable<AuditEntry["after"]>[string];

/** Returns the fields of an entry before and after the act, in words. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({
    field: field.replaceAll("_", " "),
    before: textOf(before?.[field]),
    after: textOf(after?.[field]),
  }));
}

function textOf(value: Value | undefined): string {
  if (value === undefined || value === null) return "–";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
