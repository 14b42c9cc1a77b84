import { sql } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { Context } from "../context.ts";

/** The subject's owner. An entry about a business is stored with its live merchant. */
type About = { merchantId: string; businessId?: never } | { businessId: string; merchantId?: never };

type AuditEntry = About & {
  /** The act, as `noun.done`. */
  action: string;
  /** The id of the changed thing, and the reason. It contains no secret. */
  subject: string;
};

/** Records who did an accountable act, permanently, in the transaction of the act. Throws an Error for an unknown merchant or business. */
export async function noteInAudit(tx: Tx | Database, { actor, requestId }: Context, entry: AuditEntry): Promise<void> {
  const { merchantId = null, businessId = null, action, subject } = entry;
  const noted = await tx.execute(sql`
    insert into audit_entries (merchant_id, id, actor_type, actor_id, action, subject, request_id)
    select id, ${newId("auditEntry")}, ${actor.type}, ${actor.id}, ${action}, ${subject}, ${requestId} from merchants
    where id = ${merchantId} or (business_id = ${businessId} and mode = 'live') returning id`);
  if (noted.length === 0) throw new Error(`${merchantId ?? businessId} has no audit`);
}
