import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { type AuditedFields, auditEntries } from "#db/schema/audit.ts";
import { newId } from "#lib/ids.ts";
import type { ApprovedContext } from "../approval.ts";
import type { Author, Context } from "../context.ts";
import { hashOf } from "./chain.ts";

/** The merchant or the whole business that the action is about. */
type About = { merchantId: string; businessId?: never } | { businessId: string; merchantId?: never };

type NewEntry = About & {
  /** The act, as `noun.done`. */
  action: string;
  /** The id of the record that the action is about. */
  subject: string;
  reason?: string | null;
  /** The changed fields before and after the action. They contain no secret. */
  before?: AuditedFields | null;
  after?: AuditedFields | null;
};

/** The author of an act. With `approval`, two operators did it: the author is the one who decided. */
type Noting = Omit<Context, "actor"> & { actor: Author } & Partial<Pick<ApprovedContext, "approval">>;

/**
 * Records who did an accountable act, in the transaction of the act. Locks the head of the business's chain until the commit: call it last in
 * a transaction, after the event counter. Throws an Error for an unknown merchant or business.
 */
export async function noteInAudit(tx: Tx, { actor, requestId, address, approval }: Noting, entry: NewEntry): Promise<void> {
  const { action, subject } = entry;
  const approved = approval && { proposal: approval.proposalId, proposed_by: approval.proposedBy };
  const after = storable(entry.after || approved ? { ...entry.after, ...approved } : null);
  const [reason, before] = [storable(entry.reason ?? null), storable(entry.before ?? null)];
  const { businessId, mode, seq, hash: previousHash, noted_at } = await lockHead(tx, entry);
  const noted = {
    ...{ businessId, seq: Number(seq) + 1, id: newId("auditEntry"), mode },
    ...{ actorType: actor.type, actorId: actor.id, action, subject, reason, before, after },
    ...{ address, requestId, createdAt: new Date(noted_at) },
  };
  const hash = hashOf(previousHash, noted);
  await tx.insert(auditEntries).values({ ...noted, hash });
  await tx.execute(sql`update audit_heads set seq = ${noted.seq}, hash = ${hash} where business_id = ${businessId}`);
}

/** Returns a value with texts that PostgreSQL stores as they are, so that the hash of a stored entry fits: no NUL, no lone surrogates. */
const storable = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (_name, inner: unknown) =>
    typeof inner === "string" ? inner.toWellFormed().replaceAll("\0", "\uFFFD") : inner,
  );

interface Head extends Record<string, unknown> {
  businessId: string;
  mode: "test" | "live" | null;
  seq: string;
  hash: string;
  noted_at: string;
}

/**
 * Locks the head of the chain that an entry belongs to, and opens the chain before its first entry. Reads the clock after the lock, so that
 * times ascend with the numbers.
 */
async function lockHead(tx: Tx, { merchantId, businessId }: About): Promise<Head> {
  const [head] = await tx.execute<Head>(sql`
    with about as (
      select business_id, mode from merchants where id = ${merchantId ?? null}
      union all select id, null from businesses where id = ${businessId ?? null}
    ), head as (
      insert into audit_heads as h (business_id, seq, hash) select business_id, 0, '' from about
      on conflict (business_id) do update set seq = h.seq returning business_id, seq, hash
    )
    select head.business_id as "businessId", about.mode, head.seq, head.hash,
      to_char(date_trunc('milliseconds', clock_timestamp()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as noted_at
    from head, about`);
  if (!head) throw new Error(`${merchantId ?? businessId} is no known merchant or business`);
  return head;
}
