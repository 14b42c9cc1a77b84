import { sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { requestLog } from "#db/schema/requests.ts";
import { log } from "#lib/log.ts";
import { onShutdown } from "#lib/shutdown.ts";

type Entry = Omit<typeof requestLog.$inferInsert, "createdAt"> & { createdAt: Date };

const FLUSH_AFTER_MS = 500;
/** Past this the oldest are dropped, and the drop is logged: a log must not take the service down with it. */
const MOST_WAITING = 20_000;
const PER_INSERT = 1_000;

onShutdown(flushRequestLog);

const state = { waiting: [] as Entry[], timer: undefined as NodeJS.Timeout | undefined, dropped: 0 };

/** Notes a call for the merchant's request log. Returns at once: rows are written in batches, and a crash loses the last half second. */
export function logRequest(entry: Entry): void {
  if (state.waiting.length >= MOST_WAITING) {
    state.waiting.shift();
    state.dropped++;
  }
  state.waiting.push(entry);
  state.timer ??= setTimeout(() => void flushRequestLog(), FLUSH_AFTER_MS).unref();
}

async function flushRequestLog(): Promise<void> {
  clearTimeout(state.timer);
  state.timer = undefined;
  if (state.dropped > 0) log().warn({ dropped: state.dropped }, "request log rows were dropped");
  state.dropped = 0;
  const entries = state.waiting.splice(0);
  try {
    for (let from = 0; from < entries.length; from += PER_INSERT) {
      await db()
        .insert(requestLog)
        .values(entries.slice(from, from + PER_INSERT));
    }
    await noteKeyUse(entries);
  } catch (error) {
    log().error({ err: error, rows: entries.length }, "request log rows could not be written");
  }
}

async function noteKeyUse(entries: Entry[]): Promise<void> {
  const keyIds = [...new Set(entries.map(({ apiKeyId }) => apiKeyId))];
  if (keyIds.length === 0) return;
  const merchantIds = [...new Set(entries.map(({ merchantId }) => merchantId))];
  await db().execute(sql`
    update api_keys set last_used_at = now()
    where merchant_id in (select jsonb_array_elements_text(${JSON.stringify(merchantIds)}::text::jsonb))
      and id in (select jsonb_array_elements_text(${JSON.stringify(keyIds)}::text::jsonb))`);
}
