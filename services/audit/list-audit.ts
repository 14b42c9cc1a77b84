import type { z } from "zod";
import { type Sql, sql } from "#db/client.ts";
import { firstSince } from "#lib/first-since.ts";
import { notFound } from "#lib/problem.ts";
import type { Actor, MemberContext } from "../context.ts";
import { beyond, type Fragment, findPage, inOrder } from "../list-window.ts";
import { leadsBusiness } from "../members/contract.ts";
import type { Page, Window } from "../pagination.ts";
import { verb } from "../verb.ts";
import { type AuditEntry, entryFromRaw } from "./audit-entry.ts";
import { AUDIT_AREAS, type ListAuditQuery } from "./contract.ts";

type AuditQuery = z.output<typeof ListAuditQuery>;
type Filter = Omit<AuditQuery, "limit" | "cursor">;

const BY_NUMBER = "t.seq";

/**
 * Returns one page of the audit of a member's business, newest first: acts about the mode of the context, and for owners and admins those about the
 * whole business too. Other roles read the network address of their own acts alone. The order serves the time; any other filter is a search (`MAX_SEARCHED_ROWS`). Throws VALIDATION_ERROR for a bad cursor.
 */
export const listAudit = verb({ permission: "audit:read" }, async (ctx: MemberContext, request: AuditQuery): Promise<Page<AuditEntry>> => {
  const { businessId } = ctx.merchant;
  const bounds = await boundsOf(businessId, request);
  return findPage({
    owner: `${ctx.merchant.id}/audit`,
    request,
    positionOf: ({ seq }) => String(seq),
    looked: (query, max, window) => newestOf(query, businessId, bounds, window, max),
    passes: (query) => query`${isVisible(query, ctx)} ${passing(query, request)}`,
    fromRaw: (raw) => asReadBy(ctx, entryFromRaw(raw)),
    column: BY_NUMBER,
  });
});

/** Returns an entry that the member may see. Throws RESOURCE_NOT_FOUND. */
export const getAuditEntry = verb({ permission: "audit:read" }, async (ctx: MemberContext, seq: number): Promise<AuditEntry> => {
  const query = sql();
  const [raw] = await query`
    select t.* from audit_entries t where t.business_id = ${ctx.merchant.businessId} and t.seq = ${seq} and ${isVisible(query, ctx)}`;
  if (!raw) throw notFound("audit entry");
  return asReadBy(ctx, entryFromRaw(raw));
});

/** Network addresses reveal where people are, so members other than owners and admins read only the addresses of their own acts. */
const asReadBy = (ctx: MemberContext, entry: AuditEntry): AuditEntry =>
  leadsBusiness(ctx.role) || isBy(ctx.actor, entry) ? entry : { ...entry, address: null };

const isBy = ({ type, id }: Actor, { actor }: AuditEntry): boolean => actor.type === type && actor.id === id;

/** Developers read what was done in test mode, and nothing about the team or the brand. */
const isVisible = (query: Sql, ctx: MemberContext): Fragment =>
  query`(t.mode = ${ctx.merchant.mode}::mode ${leadsBusiness(ctx.role) ? query`or t.mode is null` : query``})`;

/** Returns a query of at most `max` entries next to the window's position. */
function newestOf(query: Sql, businessId: string, { first, end }: Bounds, window: Window, max: number): Fragment {
  return query`
    select t.* from audit_entries t where t.business_id = ${businessId}
      ${first === undefined ? query`` : query`and t.seq >= ${String(first)}`} ${end === undefined ? query`` : query`and t.seq < ${String(end)}`}
      ${beyond(query, window, BY_NUMBER)}
    ${inOrder(query, window, BY_NUMBER)} limit ${max}`;
}

/** The range of numbers from `first` up to, but without, `end`. */
interface Bounds {
  first: bigint | undefined;
  end: bigint | undefined;
}

async function boundsOf(businessId: string, { created_after: after, created_before: before }: Filter): Promise<Bounds> {
  return { first: after && (await firstEntrySince(businessId, after)), end: before && (await firstEntrySince(businessId, before)) };
}

/** Returns the number of the first entry since a time. Numbers have no gaps and times ascend with them, so a search by numbers needs no index of times. */
async function firstEntrySince(businessId: string, since: Date): Promise<bigint> {
  const [head] = await sql()<{ seq: bigint }[]>`select seq from audit_heads where business_id = ${businessId}`;
  return firstSince(
    since,
    head?.seq ?? 0n,
    (numbers) => sql()`
      select seq as number, created_at from audit_entries where business_id = ${businessId} and seq = any(${numbers.map(String)}::text[]::bigint[])`,
  );
}

/** Returns the conditions of a filter that no index serves. */
function passing(query: Sql, { by, about, subject }: Filter): Fragment {
  return query`
    ${subject ? query`and t.subject = ${subject}` : query``}
    ${about ? query`and t.action like any(${AUDIT_AREAS[about].map((start) => `${start.replaceAll("_", "\\_")}%`)})` : query``}
    ${by ? byWhom(query, by) : query``}`;
}

function byWhom(query: Sql, by: string): Fragment {
  if (by === "api") return query`and t.actor_type = 'api_key'`;
  if (by === "service") return query`and t.actor_type in ('operator', 'cli', 'system')`;
  return query`and t.actor_type = 'member' and t.actor_id = ${by}`;
}
