import { wordsOf as wordsOfPermission } from "#components/developers/permissions-in-words.ts";
import type { ChangedField } from "#components/settings/audit-detail.tsx";
import { AREA_WORDS, wordsOfField } from "#components/settings/audit-words.ts";
import { ROLE_WORDS } from "#components/team/role-words.ts";
import { formatMoney, money } from "#lib/money.ts";
import { lagosDateTime } from "#lib/time.ts";
import type { AuditEntry } from "#services/audit/index.ts";
import { wordOf as wordOfEvent } from "../../../developers/events/to-view.ts";

type Value = NonNullable<AuditEntry["after"]>[string];

interface Names {
  /** Names a member by id. */
  member: (id: string) => string;
}

/** Returns the fields of an entry before and after the act, in words. */
export function changesOf({ before, after }: Pick<AuditEntry, "before" | "after">, names: Names): ChangedField[] {
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => ({
    field: wordsOfField(field),
    before: textOf(field, before?.[field], names),
    after: textOf(field, after?.[field], names),
  }));
}

const ISO_TIME = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
/** A logo is named by the hash of its bytes. The first characters are enough to tell two pictures apart. */
const SHORT = 7;

/** The words for an empty value, for fields in which an empty value has a meaning. */
const WITHOUT: Record<string, string> = {
  ...{ allowed_ips: "Every address", event_types: "All of them", expires_at: "Never by itself" },
  ...{ naira: "No limit", required_since: "Not needed" },
};

function textOf(field: string, value: Value | undefined, names: Names): string {
  if (value === undefined) return "–";
  if (value === null || (Array.isArray(value) && value.length === 0)) return WITHOUT[field] ?? (value === null ? "–" : "None");
  if (Array.isArray(value)) return value.map((item) => wordOf(field, item, names)).join(", ");
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return wordOf(field, String(value), names);
}

const ROLES: Record<string, { label: string }> = ROLE_WORDS;
const AREAS: Record<string, string> = AREA_WORDS;

function wordOf(field: string, text: string, names: Names): string {
  switch (field) {
    case "role":
      return ROLES[text]?.label ?? text;
    case "area":
    case "areas":
      return AREAS[text] ?? text;
    case "permissions":
      return wordsOfPermission(text);
    case "event_types":
      return wordOfEvent(text);
    case "owner":
    case "handed_over_to":
      return names.member(text);
    case "naira":
      return nairaOf(text);
    case "logo":
      return `Picture ${text.slice(0, SHORT)}`;
    case "status":
      return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
    default:
      return ISO_TIME.test(text) ? `${lagosDateTime(new Date(text))} in Lagos` : text;
  }
}

/** Returns an amount with plain digits, `5000.00`, as it is written elsewhere. Another text stays as it is. */
function nairaOf(text: string): string {
  const [, major, minor = ""] = /^(\d+)(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return major === undefined ? text : formatMoney(money(BigInt(major + minor.padEnd(2, "0")), "NGN"));
}
