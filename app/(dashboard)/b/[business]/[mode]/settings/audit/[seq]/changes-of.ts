import type { ChangedField } from "#components/settings/audit-detail.tsx";
import { lagosDateTime } from "#lib/time.ts";
import type { AuditEntry } from "#services/audit/index.ts";

type Value = NonNullable<AuditEntry["after"]>[string];

/** Returns the fields of an entry before and after the act, in words. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">): ChangedField[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].map((field) => ({
    field: field.replaceAll("_", " "),
    before: textOf(field, before?.[field]),
    after: textOf(field, after?.[field]),
  }));
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** A logo's name is the hash of its bytes: its beginning tells two pictures apart. */
const SHORT = 7;

function textOf(field: string, value: Value | undefined): string {
  if (value === undefined || value === null) return "–";
  if (typeof value === "string" && ISO_TIME.test(value)) return `${lagosDateTime(new Date(value))} in Lagos`;
  if (field === "logo") return `picture ${String(value).slice(0, SHORT)}`;
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value);
}
