import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { lagosDateTime } from "#lib/time.ts";

/** The merchant or the business that the thing belongs to. */
type Owner = { merchantId: string; businessId?: never } | { businessId: string; merchantId?: never };

type Versioned = Owner & {
  /** The id of the thing, as its audit entries name it. */
  subject: string;
  /** The actions of the entries that changes write. */
  actions: string[];
  /** The version that is stored. */
  stored: number | string;
  /** The version that the caller has read. */
  read: number | string;
};

/** Entries that the search for the last change reads. */
const MAX_LOOKED_AT = 5_000;

interface LastChange extends Record<string, unknown> {
  by: string | null;
  at: string;
  fields: string[] | null;
}

/**
 * Throws VERSION_CONFLICT where somebody has changed a thing since the caller read it. The message says who, when and which fields, as its last
 * audit entry has them. Call it under the lock of the thing's row.
 */
export async function requireVersion(tx: Tx, { merchantId, businessId, subject, actions, stored, read }: Versioned): Promise<void> {
  if (stored === read) return;
  const [last] = await tx.execute<LastChange>(sql`
    with recent as (
      select e.* from audit_entries e
      where e.business_id = coalesce(${businessId ?? null}, (select business_id from merchants where id = ${merchantId ?? null})) order by e.seq desc limit ${MAX_LOOKED_AT}
    )
    select users.name as by, recent.created_at as at, array(select jsonb_object_keys(recent.after)) as fields
    from recent left join users on recent.actor_type = 'member' and users.id = recent.actor_id
    where recent.subject = ${subject} and recent.action in ${actions} order by recent.seq desc limit 1`);
  const fields = last?.fields?.length ? ` (${last.fields.join(", ")})` : "";
  const who = `${last?.by ?? "Somebody else"} changed this${last ? ` on ${lagosDateTime(new Date(last.at))}` : ""}${fields}`;
  throw new Problem("VERSION_CONFLICT", `${who}. Read it again before you change it.`);
}
