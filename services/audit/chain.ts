import { canonicalJson } from "#lib/canonical-json.ts";
import { keyedHash } from "#lib/secrets.ts";
import type { AuditEntryRow } from "./audit-entry.ts";

/**
 * Returns the hash of an entry: a keyed hash of its fields and of the hash before it, which is empty for the first entry. Without the
 * server's secret key, an entry cannot be changed, removed or added in the middle of a chain so that the later hashes still fit. Names every
 * field, so that a column which is added later leaves the hashes of older entries as they are.
 */
export function hashOf(previousHash: string, entry: Omit<AuditEntryRow, "hash">): string {
  const { businessId, seq, id, mode, actorType, actorId, action, subject, reason, before, after, address, requestId } = entry;
  // `toJSON`, because an invalid time (only the database's owner can store one) becomes null there, and an error in `toISOString`.
  const createdAt = entry.createdAt.toJSON();
  const author = { actorType, actorId, address, requestId, createdAt };
  return keyedHash(
    "audit-chain",
    canonicalJson({ businessId, seq, id, mode, ...author, action, subject, reason, before, after, previousHash }),
  );
}
