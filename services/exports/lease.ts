import { randomUUID } from "node:crypto";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import type { MemberContext } from "../context.ts";
import { verb } from "../verb.ts";

/** The right of a member to run one export. */
export interface ExportLease {
  businessId: string;
  userId: string;
  lease: string;
}

/**
 * An export extends its lease with every page. The server ends a connection whose client reads nothing for two minutes, so a lease that
 * was not extended for longer belongs to a process that has ended.
 */
export const LEASE_S = 150;

/**
 * Takes the member's lease, in one statement that only one of two exports wins, whichever processes they run in. Throws RATE_LIMITED while
 * another export of the member runs.
 */
export const beginExport = verb({ permission: "browse" }, async ({ merchant, actor }: MemberContext): Promise<ExportLease> => {
  const taken: ExportLease = { businessId: merchant.businessId, userId: actor.id, lease: randomUUID() };
  const rows = await sql()`
    insert into export_leases as e (business_id, user_id, lease, expires_at)
    values (${taken.businessId}, ${taken.userId}, ${taken.lease}, now() + ${LEASE_S} * interval '1 s')
    on conflict (business_id, user_id) do update set lease = excluded.lease, expires_at = excluded.expires_at where e.expires_at <= now()
    returning lease`;
  if (rows.length === 0) throw anotherRuns();
  return taken;
});

/** Extends a lease. Throws RATE_LIMITED if it expired and another export has superseded it. */
export async function keepExport({ businessId, userId, lease }: ExportLease): Promise<void> {
  const rows = await sql()`
    update export_leases set expires_at = now() + ${LEASE_S} * interval '1 s'
    where business_id = ${businessId} and user_id = ${userId} and lease = ${lease} returning lease`;
  if (rows.length === 0) throw anotherRuns();
}

/** Releases a lease, so that the member may export again at once. Does not release a newer lease. */
export async function endExport({ businessId, userId, lease }: ExportLease): Promise<void> {
  await sql()`delete from export_leases where business_id = ${businessId} and user_id = ${userId} and lease = ${lease}`;
}

const RETRY_AFTER_S = 10;

const anotherRuns = () =>
  new Problem("RATE_LIMITED", "Another download of yours is still running. Wait until it ends, or cancel it, then try again.", {
    headers: { "Retry-After": String(RETRY_AFTER_S) },
  });
