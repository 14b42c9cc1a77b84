import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { closeDatabase } from "#db/client.ts";
import { watchPool } from "#db/watchdog.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import { buyDueBulkRows } from "#services/bulk/index.ts";
import { checkDueCardholders, recheckLostOperations, resolveDueOperations, syncDueCards } from "#services/cards/index.ts";
import { checkBanks, expireDueLinks, retryNotices, returnOwedTransfers } from "#services/checkout/index.ts";
import { type SystemContext, systemContext } from "#services/context.ts";
import { advanceFigures } from "#services/figures/index.ts";
import { alertOnLowBalances } from "#services/ledger/index.ts";
import { sendDueMails } from "#services/mails/index.ts";
import { noteAlertsForMails, notePaymentsForMails, tellMembers } from "#services/member-mails/index.ts";
import { requireKnownProviders } from "#services/providers/index.ts";
import { sealWallets } from "#services/seals/index.ts";
import { mailDueRemovals } from "#services/users/index.ts";
import { resolveDuePurchases, syncDueCatalogues } from "#services/vtu/index.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import { Schedules } from "./schedules.ts";

interface Sweep {
  name: string;
  /** Works on a bounded number of due rows. Returns how many were done. */
  run: (ctx: SystemContext) => Promise<number>;
}

const EVERY_MS = 2 * SECOND_MS;
const DRAIN_MS = 8 * SECOND_MS;
const dispatcher = new Dispatcher();
const schedules = new Schedules();

/** Each sweep reads its due rows from the tables. Two workers at once share the work, because every row is claimed. */
const sweeps: Sweep[] = [
  { name: "expire links", run: expireDueLinks },
  { name: "work off notices", run: retryNotices },
  { name: "return transfers", run: returnOwedTransfers },
  { name: "check banks", run: checkBanks },
  { name: "check cardholders", run: checkDueCardholders },
  { name: "resolve card operations", run: resolveDueOperations },
  { name: "re-check lost card operations", run: recheckLostOperations },
  { name: "sync cards", run: syncDueCards },
  { name: "sync catalogues", run: syncDueCatalogues },
  { name: "resolve purchases", run: resolveDuePurchases },
  { name: "buy bulk orders", run: buyDueBulkRows },
  { name: "advance figures", run: advanceFigures },
  { name: "seal wallets", run: sealWallets },
  { name: "alert on low balances", run: alertOnLowBalances },
  { name: "note alerts for mails", run: noteAlertsForMails },
  { name: "note payments for mails", run: notePaymentsForMails },
  { name: "tell members by mail", run: tellMembers },
  { name: "mail removals of second factors", run: mailDueRemovals },
  { name: "send mails", run: sendDueMails },
  { name: "deliver events", run: () => dispatcher.sweep() },
];

const stopping = new AbortController();
const stop = () => stopping.abort();
process.on("SIGTERM", stop);
process.on("SIGINT", () => {});
process.on("disconnect", stop);

async function repeat({ name, run }: Sweep): Promise<void> {
  while (!stopping.signal.aborted) {
    try {
      const done = await run(systemContext(name));
      if (done > 0) log().info({ sweep: name, done }, "sweep");
    } catch (error) {
      log().error({ sweep: name, err: error }, "a sweep failed; it runs again in two seconds");
    }
    await wait(EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
  }
}

requireKnownProviders();
log().info("worker started");
const watchdog = watchPool(settings().DATABASE_URL);
dispatcher.start();
void schedules.start();
const running = Promise.all(sweeps.map(repeat));
await once(stopping.signal, "abort");
// A sweep may wait for a bank. Another worker takes over its leased rows when the leases end.
await Promise.all([watchdog.stop(), dispatcher.stop(), schedules.stop(), Promise.race([running, wait(DRAIN_MS)])]);
await closeDatabase();
log().info("worker stopped");
process.exit(0);
