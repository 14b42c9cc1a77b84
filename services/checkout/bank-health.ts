import { LRUCache } from "lru-cache";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import type { Bank } from "#providers/bank.ts";
import type { SystemContext } from "../context.ts";
import { banks } from "../providers/index.ts";

const CHECK_EVERY_S = 15;
/** With no worker to ask, nobody knows how the bank is, and nobody is told to wait for it. */
const OLD_AFTER_S = 120;
/** One question that is lost is no news; the second in a row is. */
const DOWN_AFTER_FAILURES = 2;
/** How long a process believes what it has read: a page that awaits money must not ask the database twice. */
const BELIEVED_FOR_MS = 2 * SECOND_MS;

const believed = new LRUCache<string, boolean>({ max: 100, ttl: BELIEVED_FOR_MS });

/** Whether payers of this bank are to be told that it does not answer. */
export async function isBankDown(provider: string): Promise<boolean> {
  const known = believed.get(provider);
  if (known !== undefined) return known;
  const [row] = await sql()<{ is_down: boolean }[]>`
    select down_since is not null and next_check_at > now() - ${OLD_AFTER_S} * interval '1 s' as is_down
    from bank_health where provider = ${provider}`;
  const isDown = row?.is_down ?? false;
  believed.set(provider, isDown);
  return isDown;
}

/** Asks every bank that is due whether it is at work. Returns how many went down or came back. */
export async function checkBanks(_ctx: SystemContext): Promise<number> {
  let changed = 0;
  for (const bank of banks.all()) if (await checkOne(bank)) changed++;
  return changed;
}

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
  log().warn({ provider: bank.name }, row.is_down ? "a bank does not answer; its payers are told" : "a bank is back");
  return true;
}
