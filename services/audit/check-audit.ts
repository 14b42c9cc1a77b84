import { readLong, type Sql, sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { auditEntries } from "#db/schema/audit.ts";
import type { SystemContext } from "../context.ts";
import type { AuditEntryRow } from "./audit-entry.ts";
import type { AuditHead } from "./audit-head.ts";
import { hashOf } from "./chain.ts";

export interface Finding {
  businessId: string;
  seq: number;
  /** What is wrong, in words. */
  problem: string;
}

interface AuditCheck {
  entries: number;
  businesses: number;
  /** The first 1,000 findings. */
  findings: Finding[];
  /** The number of all findings. */
  found: number;
}

const BATCH = 1_000;
const MAX_FINDINGS = 1_000;

type Report = (businessId: string, seq: number, problem: string) => void;

/**
 * Reads the audit of every business in one snapshot, in batches, and computes each hash again. `against` are heads that were kept outside
 * of the database: each chain must still contain them. Without them, a removed tail does not show if the head row was set back too.
 */
export async function checkAudit(
  _ctx: SystemContext,
  { against = [] }: { against?: Iterable<AuditHead> | AsyncIterable<AuditHead> } = {},
): Promise<AuditCheck> {
  const check: AuditCheck = { entries: 0, businesses: 0, findings: [], found: 0 };
  const report: Report = (businessId, seq, problem) => {
    check.found += 1;
    if (check.findings.length < MAX_FINDINGS) check.findings.push({ businessId, seq, problem });
  };
  await readLong((client) => checkChains(client, check, report));
  // Read after the snapshot, so that it may also contain heads that are younger than the snapshot.
  for await (const heads of batchesOf(against)) await findHeads(heads, report);
  return check;
}

/** An entry with the head row of its business. */
type Row = Record<string, unknown> & { head_seq: bigint | null; head_hash: string | null };

async function checkChains(client: Sql, check: AuditCheck, report: Report): Promise<void> {
  await client.begin("read only", async (tx) => {
    // A large audit takes longer than the timeout of a request's statements.
    await tx`set local statement_timeout = 0`;
    // One statement reads one snapshot, so an entry that is written in the meantime is either in both tables or in neither.
    const rows = tx<Row[]>`
      select e.*, h.seq as head_seq, h.hash as head_hash from audit_entries e left join audit_heads h using (business_id)
      order by e.business_id, e.seq`;
    let last: { entry: AuditEntryRow; row: Row } | undefined;
    for await (const batch of rows.cursor(BATCH)) {
      for (const row of batch) {
        const entry = fromRow(auditEntries, row);
        const isNext = last?.entry.businessId === entry.businessId;
        if (last && !isNext) checkEnd(last.entry, last.row, report);
        checkEntry(isNext ? last?.entry : undefined, entry, report);
        check.entries += 1;
        if (!isNext) check.businesses += 1;
        last = { entry, row };
      }
    }
    if (last) checkEnd(last.entry, last.row, report);
    const bare = tx<{ business_id: string; seq: bigint }[]>`
      select h.business_id, h.seq from audit_heads h
      where not exists (select from audit_entries e where e.business_id = h.business_id) order by 1`;
    for await (const batch of bare.cursor(BATCH))
      for (const { business_id, seq } of batch)
        report(business_id, Number(seq), "the head row names this entry, and the business has no entry");
  });
}

/** Compares an entry with the stored hash of the entry before it, so that one changed entry does not make all later ones wrong. */
function checkEntry(before: AuditEntryRow | undefined, entry: AuditEntryRow, report: Report): void {
  const { businessId, seq } = entry;
  const expected = (before?.seq ?? 0) + 1;
  if (seq > expected) {
    const missing = seq === expected + 1 ? `entry ${expected} is missing` : `entries ${expected} to ${seq - 1} are missing`;
    report(businessId, expected, `${missing}, so entry ${seq} cannot be checked`);
  } else if (entry.hash !== hashOf(before?.hash ?? "", entry)) {
    report(
      businessId,
      seq,
      "the hash does not fit: this entry or the hash before it was written without the secret key of this installation",
    );
  }
}

function checkEnd({ businessId, seq, hash }: AuditEntryRow, head: Row, report: Report): void {
  if (head.head_seq === null) report(businessId, seq, "this is the last entry, and the business has no head row");
  else if (Number(head.head_seq) !== seq) report(businessId, seq, `this is the last entry, and the head row names entry ${head.head_seq}`);
  else if (head.head_hash !== hash) report(businessId, seq, "the hash of this last entry is not the hash of the head row");
}

/** Compares heads that were kept outside with their chains. `checkChains` has already checked the stored hashes themselves. */
async function findHeads(heads: AuditHead[], report: Report): Promise<void> {
  const lost = await sql()<{ business_id: string; seq: bigint; stored: string | null }[]>`
    select k.business_id, k.seq, e.hash as stored
    from unnest(${heads.map(({ businessId }) => businessId)}::text[], ${heads.map(({ seq }) => String(seq))}::text[]::bigint[],
      ${heads.map(({ hash }) => hash)}::text[]) as k(business_id, seq, hash)
    left join audit_entries e on e.business_id = k.business_id and e.seq = k.seq
    where e.hash is distinct from k.hash`;
  for (const { business_id, seq, stored } of lost) {
    const problem =
      stored === null ? "and the chain has no such entry: its end was removed" : "and the chain has another: it was written anew";
    report(business_id, Number(seq), `a head kept outside has the hash of this entry, ${problem}`);
  }
}

async function* batchesOf(heads: Iterable<AuditHead> | AsyncIterable<AuditHead>): AsyncGenerator<AuditHead[]> {
  let batch: AuditHead[] = [];
  for await (const head of heads) {
    batch.push(head);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
