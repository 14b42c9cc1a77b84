import { and, asc, gt, inArray, lt, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { auditHeads } from "#db/schema/audit.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";

const BATCH = 500;

/**
 * Writes the head of each chain that grew since its last line to the log, one line a business. A log that is kept outside of the database
 * then shows a removed tail or a rewritten chain (`checkAudit`). A crash repeats lines, and loses none. Returns the number of lines.
 */
export async function logAuditHeads(_ctx: SystemContext): Promise<number> {
  let [lines, after] = [0, ""];
  for (;;) {
    const logged = await logBatch(after);
    lines += logged.length;
    const last = logged.at(-1);
    if (last === undefined || logged.length < BATCH) return lines;
    after = last;
  }
}

/** Logs the next heads after a business, and marks them as logged. Returns the ids of their businesses. Locks: heads of the audit, by id. */
async function logBatch(after: string): Promise<string[]> {
  return transaction(async (tx) => {
    const grown = await tx
      .select()
      .from(auditHeads)
      .where(and(gt(auditHeads.businessId, after), lt(auditHeads.loggedSeq, auditHeads.seq)))
      .orderBy(asc(auditHeads.businessId))
      .limit(BATCH)
      .for("no key update");
    if (grown.length === 0) return [];
    for (const { businessId, seq, hash } of grown) log().info({ business_id: businessId, seq, hash }, "the head of an audit chain");
    const ids = grown.map(({ businessId }) => businessId);
    await tx.update(auditHeads).set({ loggedSeq: sql`seq` }).where(inArray(auditHeads.businessId, ids));
    return ids;
  });
}
