import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import type { Merchant, Role } from "../context.ts";
import { type MerchantColumns, merchantColumns, merchantFromColumns } from "../merchant-columns.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { ownsSecondFactor } from "./second-factor.ts";

/** A person's role in the business of a merchant. */
export interface Membership {
  role: Role;
  merchant: Merchant;
  /** Since when the business asks for a second factor that the person does not have. Null: nothing is missing. */
  secondFactorMissingSince: Date | null;
}

/** A membership is cached for this long. So a removal or a change of role, suspension or area takes effect within this time. */
const CACHED_FOR_MS = 1_000;
const MAX_CACHED = 10_000;
const known = new LRUCache<string, Membership>({ max: MAX_CACHED, ttl: CACHED_FOR_MS });

/** Returns the membership of a user in the business of a merchant, at most a second old; undefined if the user is not a member there, and for the platform's own. */
export async function findMembership(userId: string, merchantId: string): Promise<Membership | undefined> {
  const name = `${userId}/${merchantId}`;
  const found = known.get(name) ?? (await readMembership(userId, merchantId));
  if (found && !known.has(name)) known.set(name, found);
  return found;
}

/** As `findMembership`, from the database. */
export async function readMembership(userId: string, merchantId: string): Promise<Membership | undefined> {
  const query = sql();
  const [row] = await query<(MerchantColumns & { role: Role; missing_since: string | null })[]>`
    select members.role, ${merchantColumns()},
      case when b.two_factor_required_at is not null and not ${ownsSecondFactor(query, "members.user_id")} then b.two_factor_required_at end as missing_since
    from merchants m
    join businesses b on b.id = m.business_id
    join members on members.business_id = m.business_id and members.user_id = ${userId}
    where m.id = ${merchantId} and m.business_id <> ${PLATFORM_BUSINESS}`;
  if (!row) return undefined;
  const { role, missing_since: since } = row;
  return { role, merchant: merchantFromColumns(row), secondFactorMissingSince: since === null ? null : new Date(since) };
}
