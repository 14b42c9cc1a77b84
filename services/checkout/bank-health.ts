import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { Bank } from "#providers/bank.ts";
import type { SystemContext } from "../context.ts";
import { banks } from "../providers/index.ts";
import { verb } from "../verb.ts";

const CHECK_EVERY_S = 15;
/** An older result is not used. If no worker runs, the state of the bank is unknown, and payers are not asked to wait. */
const STALE_AFTER_S = 120;
/** One lost check is common; two in a row mean that the bank is down. */
const DOWN_AFTER_FAILURES = 2;
/** Payers' pages ask for the health while they wait for money. The cache saves most of these database reads. */
const CACHED_FOR_MS = 2 * SECOND_MS;

const cache = new LRUCache<string, boolean>({ max: 100, ttl: CACHED_FOR_MS });

/** Returns whether the last checks found the bank down. Payers' pages then say so. */
export async function isBankDown(provider: string): Promise<boolean> {
  const known = cache.get(provider);
  if (known !== undefined) return known;
  const [row] = await sql()<{ is_down: boolean }[]>`
    select down_since is not null and next_check_at > now() - ${STALE_AFTER_S} * interval '1 s' as is_down
    from bank_health where provider = ${provider}`;
  const isDown = row?.is_down ?? false;
  cache.set(provider, isDown);
  return isDown;
}

/** Checks every bank that is due. Returns how many went down or came back. */
export const checkBanks = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  // At the same time, so that a bank that hangs does not delay the others.
  const changed = await Promise.all(banks.all().map(checkOne));
  return changed.filter(Boolean).length;
});

async function checkOne(bank: Bank): Promise<boolean> {
  const [claimed] = await sql()`
    insert into bank_health (provider, next_check_at) values (${bank.name}, now() + ${CHECK_EVERY_S} * interval '1 s')
    on conflict (provider) do update set next_check_at = excluded.next_check_at where bank_health.next_check_at <= now() returning 1`;
  if (!claimed) return false;
  const isUp = await bank.isUp();
  const [row] = await sql()<{ is_down: boolean; was_down: boolean }[]>`
    with before as (select provider, down_since from bank_health where provider = ${bank.name} for update)
    update bank_health b set
      failures = case when ${isUp} then 0 else b.failures + 1 end,
      down_since = case
        when ${isUp} then null
        when b.failures + 1 >= ${DOWN_AFTER_FAILURES} then coalesce(b.down_since, now())
        else b.down_since end
    from before where b.provider = before.provider
    returning b.down_since is not null as is_down, before.down_since is not null as was_down`;
  if (!row || row.is_down === row.was_down) return false;
  log().warn({ provider: bank.name }, row.is_down ? "a bank does not answer; its payers are told" : "a bank answers again");
  return true;
}
