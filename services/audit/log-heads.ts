import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { listAuditHeads } from "./audit-head.ts";

/**
 * Writes the head of every chain to the log, one line a business. A log that is kept outside of the database then shows a removed tail or a
 * rewritten chain (`checkAudit`). Every head is written each time. A record of heads already written would be in the same database, where
 * its owner could change it to hide a chain. Returns the number of lines.
 */
export const logAuditHeads = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  let lines = 0;
  for await (const { businessId, seq, hash } of listAuditHeads(ctx)) {
    log().info({ business_id: businessId, seq, hash }, "the head of an audit chain");
    lines += 1;
  }
  return lines;
});
