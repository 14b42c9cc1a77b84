import { setTimeout as wait } from "node:timers/promises";
import { closeDatabase } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { expireDueLinks, retryNotices, returnOwedTransfers } from "#services/checkout/index.ts";
import { purgeOldKeys } from "#services/idempotency/index.ts";

interface Chore {
  name: string;
  everyMs: number;
  /** Does a bounded share of what is due. */
  run: () => Promise<number>;
}

/** Truth lives in the tables; each chore looks there for what is due. Two workers at once share the work, since every row is claimed. */
const chores: Chore[] = [
  { name: "expire links", everyMs: 2 * SECOND_MS, run: () => expireDueLinks() },
  { name: "work off notices", everyMs: 2 * SECOND_MS, run: () => retryNotices() },
  { name: "return transfers", everyMs: 2 * SECOND_MS, run: () => returnOwedTransfers() },
  { name: "forget old idempotency keys", everyMs: 60 * MINUTE_MS, run: purgeOldKeys },
];

const stopping = new AbortController();
const stop = () => stopping.abort();
process.on("SIGTERM", stop);
process.on("SIGINT", () => {});
process.on("disconnect", stop);

async function repeat({ name, everyMs, run }: Chore): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      const done = await run();
      if (done > 0) log().info({ chore: name, done }, "chore");
    } catch (error) {
      log().error({ chore: name, err: error }, "a chore failed; it runs again at its next turn");
    }
    await wait(everyMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

log().info("worker started");
await Promise.all(chores.map(repeat));
await closeDatabase();
log().info("worker stopped");
process.exit(0);
