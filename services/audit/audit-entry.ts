import { fromRow } from "#db/from-row.ts";
import { type AuditedFields, auditEntries } from "#db/schema/audit.ts";
import type { Author } from "../context.ts";

export type AuditEntryRow = typeof auditEntries.$inferSelect;

/** An act, as the members of the business read it. */
export interface AuditEntry {
  /** Counts the entries of the business from 1. */
  seq: number;
  /** The mode that the act is about. Null: the whole business. */
  mode: "test" | "live" | null;
  /** The author. For operators and the system only the type is given. */
  actor: Author;
  action: string;
  /** The id of the changed record. */
  subject: string;
  /** The reason that the author gave. Null if there was none, and for operators, whose reasons are internal. */
  reason: string | null;
  before: AuditedFields | null;
  after: AuditedFields | null;
  address: string | null;
  requestId: string | null;
  createdAt: Date;
}

/** The fields that a merchant may read of an operator's act. Other fields would reveal the service's own prices and partners. */
const VISIBLE_FIELDS: readonly string[] = ["area", "areas", "name", "requested_name", "owner", "role", "status"];

const visibleOf = (fields: AuditedFields | null): AuditedFields | null =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => VISIBLE_FIELDS.includes(name)));

const OWN: readonly string[] = ["member", "invited", "api_key"];

export function entryFromRaw(raw: object): AuditEntry {
  const { seq, mode, actorType, actorId, action, subject, reason, before, after, address, requestId, createdAt } = fromRow(
    auditEntries,
    raw,
  );
  const type = actorType as Author["type"];
  const isOwn = OWN.includes(type);
  return {
    ...{ seq, mode, action, subject, createdAt },
    before: isOwn ? before : visibleOf(before),
    after: isOwn ? after : visibleOf(after),
    actor: { type, id: isOwn ? actorId : "" },
    reason: isOwn ? reason : null,
    address: isOwn ? address : null,
    requestId: isOwn ? requestId : null,
  };
}
