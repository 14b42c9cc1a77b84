import { once } from "node:events";
import { closeDatabase } from "#db/client.ts";
import { watchPool } from "#db/watchdog.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { requireKnownProviders } from "#services/providers/index.ts";
import { Dispatcher } from "#services/webhooks/index.ts";
import { Scheduler } from "./scheduler.ts";
import { JOBS, SWEEPS } from "./tasks.ts";

const stopping = new AbortController();
const stop = () => stopping.abort();
process.on("SIGTERM", stop);
process.on("SIGINT", () => {});
process.on("disconnect", stop);

requireKnownProviders();
log().info("worker started");
const watchdog = watchPool(settings().DATABASE_URL);
const dispatcher = new Dispatcher();
dispatcher.start();
const scheduler = new Scheduler({ ...SWEEPS, deliverEvents: () => dispatcher.sweep() }, JOBS);
await once(stopping.signal, "abort");
await Promise.all([watchdog.stop(), dispatcher.stop(), scheduler.stop()]);
await closeDatabase();
log().info("worker stopped");
process.exit(0);
