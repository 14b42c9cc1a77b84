import { asc, gt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { auditHeads } from "#db/schema/audit.ts";
import type { SystemContext } from "../context.ts";

/** The last entry of a business's chain at some time. A head that is kept outside of the database shows that the chain still contains it. */
export interface AuditHead {
  businessId: string;
  seq: number;
  hash: string;
}

const BATCH = 1_000;

/** Yields the head of every chain, by the id of the business. */
export async function* listAuditHeads(_ctx: SystemContext): AsyncGenerator<AuditHead> {
  let after = "";
  for (;;) {
    const heads = await db()
      .select({ businessId: auditHeads.businessId, seq: auditHeads.seq, hash: auditHeads.hash })
      .from(auditHeads)
      .where(gt(auditHeads.businessId, after))
      .orderBy(asc(auditHeads.businessId))
      .limit(BATCH);
    yield* heads;
    const last = heads.at(-1);
    if (!last || heads.length < BATCH) return;
    after = last.businessId;
  }
}
