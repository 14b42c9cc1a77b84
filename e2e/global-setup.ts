import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chromium, type FullConfig } from "@playwright/test";
import { closeDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { systemContext } from "#services/context.ts";
import { createBusiness } from "#services/merchants/index.ts";
import { until } from "#testing/until.ts";
import { buildIfStale } from "../scripts/build.ts";
import { freePort, startLocalPostgres } from "../server/embedded-postgres.ts";
import { ensureDatabase } from "../server/postgres-databases.ts";
import { ROOT } from "../server/runtime.ts";
import { api } from "./merchant.ts";
import { startPaystack } from "./paystack.ts";
import { findSecrets } from "./search-secrets.ts";

const WORKER = "worker/main.ts";

/** Runs the whole service once for all journeys: PostgreSQL, web process and worker, as `npm start` does. */
export default async function setup({ projects }: FullConfig): Promise<() => Promise<void>> {
  await printVersionOfBrowser(projects[0]?.use.launchOptions);
  await buildIfStale();
  const postgres = await startLocalPostgres(join(ROOT, ".data", "e2e"), ["fsync=off"]);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  Object.assign(process.env, {
    DATABASE_URL: await ensureDatabase(postgres, `oja_e2e_${randomBytes(4).toString("hex")}`),
    OJA_SECRET_KEY: randomBytes(32).toString("hex"),
    PORT: String(port),
    BASE_URL: url,
    // Passkeys need a host name, and browsers accept no IP address for one. So the dashboard has a host of its own in these journeys.
    DASHBOARD_URL: `http://localhost:${port}`,
    OJA_MAILBOX_KEY: randomBytes(20).toString("hex"),
    SANDBOX_URL: url,
    // Journeys receive webhooks on this machine.
    OJA_ALLOW_LOOPBACK_WEBHOOKS: "1",
    LOG_LEVEL: "info",
    // Live merchants that are bound to it have a bank. By default none is.
    ...(await startPaystack(url)),
  });
  await migrate(process.env.DATABASE_URL ?? "");
  const { testKey, testMerchantId, liveMerchantId } = await createBusiness(systemContext("seed"), {
    name: "Ada's Kitchen",
    owner: { email: "ada@kitchen.example", name: "Ada", password: "correct horse" },
  });
  const hostile = await createBusiness(systemContext("seed"), {
    name: `<b>\u202e${"👩🏾‍🌾".repeat(19)}`,
    owner: { email: "hostile@kitchen.example", name: "Hostile", password: "correct horse" },
  });
  await closeDatabase();
  process.env.E2E_KEYS = JSON.stringify(testKey);
  process.env.E2E_MERCHANT = testMerchantId;
  process.env.E2E_LIVE_MERCHANT = liveMerchantId;
  process.env.E2E_HOSTILE_KEYS = JSON.stringify(hostile.testKey);
  const env = { ...process.env, NODE_ENV: "production" as const };
  process.env.E2E_WORKER_PID_FILE = join(ROOT, ".data", "e2e", "worker.pid");
  const logFile = join(ROOT, ".data", "e2e", "log.jsonl");
  const stopAll = keepRunning(env, { workerPidFile: process.env.E2E_WORKER_PID_FILE, logFile });
  // Only this run's service knows these keys, so a server of another run on the same port is not mistaken for it.
  await until(async () => api("/wallet").catch(() => undefined));
  return async () => {
    await stopAll();
    const found = await findSecrets(logFile);
    await closeDatabase();
    await postgres.stop();
    if (found.length > 0) throw new Error(`secrets in the clear after the journeys: ${found.join("; ")}`);
  };
}

/** Logs the version of the browser, because a journey may fail with one version only. */
async function printVersionOfBrowser(options: Parameters<typeof chromium.launch>[0]): Promise<void> {
  const browser = await chromium.launch(options);
  console.log(`Chromium ${browser.version()}`);
  await browser.close();
}

/** Starts the web process and the worker, whose log goes to a file. A worker that a journey kills is started again, and its id is in a file. Returns a function that stops both. */
function keepRunning(env: NodeJS.ProcessEnv, { workerPidFile, logFile }: { workerPidFile: string; logFile: string }): () => Promise<void> {
  const running = new Map<string, ChildProcess>();
  let isStopping = false;
  const log = openSync(logFile, "w");
  const start = (script: string) => {
    const child = fork(join(ROOT, script), [], { cwd: ROOT, env, execArgv: [], stdio: ["ignore", log, "inherit", "ipc"] });
    running.set(script, child);
    if (script !== WORKER) return;
    writeFileSync(workerPidFile, String(child.pid));
    child.once("exit", () => isStopping || start(script));
  };
  start("server/web.ts");
  start(WORKER);
  return async () => {
    isStopping = true;
    const children = [...running.values()];
    const ended = children.map((child) => new Promise((done) => child.once("exit", done)));
    for (const child of children) child.kill("SIGTERM");
    await Promise.all(ended);
  };
}
