import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { DAY_MS } from "#lib/time.ts";

/** As long as a new bank account waits, and rules that allow more (services/payouts/schedule.ts). */
const WAIT_MS = DAY_MS;

/** The reason why somebody else may lead a business now: the person whose account has changed, or the business whose owners have. */
type Changed = { userId: string } | { businessId: string };

/**
 * Begins the wait of new bank accounts and of rules for payouts anew, in live mode, because somebody else may lead the business: after a recovery of an
 * owner's or admin's account, a new factor of theirs, or a change of owners. Accounts that can be used already stay so, and those that wait for a
 * decision wait anew. Locks: merchants, bank accounts, rules. It knows the tables alone, because the services of users and members call it, and payouts depend on those.
 */
export async function restartPayoutWaits(tx: Tx, changed: Changed): Promise<void> {
  const businesses =
    "businessId" in changed
      ? sql`(${changed.businessId})`
      : sql`(select members.business_id from members where members.user_id = ${changed.userId} and members.role in ('owner', 'admin'))`;
  // In the order of their ids, as everything that has to do with payouts locks the merchant first.
  const merchants = await tx.execute<{ id: string }>(sql`select id from merchants where business_id in ${businesses} order by id`);
  for (const { id } of merchants) await tx.execute(sql`select 1 from merchants m where m.id = ${id} for no key update`);
  const ofThem = sql`merchant_id in (select merchants.id from merchants where merchants.mode = 'live' and merchants.business_id in ${businesses})`;
  const later = sql`now() + ${WAIT_MS} * interval '1 ms'`;
  await tx.execute(sql`
    update bank_accounts set usable_at = ${later} where (usable_at > now() or awaits_decision) and removed_at is null and ${ofThem}`);
  await tx.execute(sql`update payout_rules set valid_from = ${later} where valid_from > now() and ${ofThem}`);
}
