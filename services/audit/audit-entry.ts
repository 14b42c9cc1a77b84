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
  /** The author. Of the people who run the service only the type is said. */
  actor: Author;
  action: string;
  /** The id of the thing that was changed. */
  subject: string;
  /** Why, in the words of its author. Null where none were given, and for the people who run the service: those are theirs. */
  reason: string | null;
  before: AuditedFields | null;
  after: AuditedFields | null;
  address: string | null;
  requestId: string | null;
  createdAt: Date;
}

/** The fields of acts of the people who run the service that a merchant reads. Others tell the service's own prices and partners. */
const TOLD: readonly string[] = ["area", "areas", "name", "requested_name", "owner", "role", "status"];

const toldOf = (fields: AuditedFields | null): AuditedFields | null =>
  fields && Object.fromEntries(Object.entries(fields).filter(([name]) => TOLD.includes(name)));

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
    before: isOwn ? before : toldOf(before),
    after: isOwn ? after : toldOf(after),
    actor: { type, id: isOwn ? actorId : "" },
    reason: isOwn ? reason : null,
    address: isOwn ? address : null,
    requestId: isOwn ? requestId : null,
  };
}
