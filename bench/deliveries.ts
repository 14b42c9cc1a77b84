import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { sql, transaction } from "#db/client.ts";
import { appendEvent } from "#services/events/index.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { anEndpoint } from "#services/webhooks/webhooks.fixture.ts";
import { listenOnLoopback } from "../testing/listen-on-loopback.ts";
import { until } from "../testing/until.ts";

const ENDPOINTS = 20;
/** Endpoints that never answer. */
const HANGING_ENDPOINTS = 2;
const EVENTS_PER_SECOND = 200;

interface Latencies {
  events: number;
  healthy: number;
  p50Ms: number;
  p99Ms: number;
  maxMs: number;
}

interface Receiver {
  url: string;
  /** The arrival of the first attempt of each event, by the event's number. */
  arrivedAtMs: Map<number, number>;
  close: () => void;
}

/** Starts a server for all endpoints. Requests of the hanging endpoints get no answer. */
async function startReceiver(): Promise<Receiver> {
  const arrivedAtMs = new Map<number, number>();
  const server = createServer(async (request, response) => {
    const atMs = performance.now();
    const { n } = JSON.parse(await text(request)).data;
    if (!arrivedAtMs.has(n)) arrivedAtMs.set(n, atMs);
    if (n % ENDPOINTS < ENDPOINTS - HANGING_ENDPOINTS) response.end();
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    arrivedAtMs,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Commits events at a steady rate, to the merchants in rotation. Returns the time of each commit in milliseconds, by event number. */
async function commitEvents(merchantIds: string[], seconds: number): Promise<Map<number, number>> {
  const committedAtMs = new Map<number, number>();
  const startedAt = performance.now();
  const total = EVENTS_PER_SECOND * seconds;
  const commits: Promise<void>[] = [];
  for (let n = 0; n < total; ) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * EVENTS_PER_SECOND));
    for (; n < due; n++) commits.push(commitOne(n, merchantIds[n % ENDPOINTS] ?? "", committedAtMs));
    await new Promise((done) => setTimeout(done, 1));
  }
  await Promise.all(commits);
  return committedAtMs;
}

async function commitOne(n: number, merchantId: string, committedAtMs: Map<number, number>): Promise<void> {
  await transaction((tx) => appendEvent(tx, merchantId, "checkout.success", { n, amount: 5_000, reference: "0123456789ABCDEFGHJKMNPQRS" }));
  committedAtMs.set(n, performance.now());
}

/** Measures the time from a commit to the arrival of its first attempt, at endpoints that answer while others hang. */
export async function measureDeliveries(tree: string, seconds: number): Promise<Latencies> {
  const receiver = await startReceiver();
  const merchantIds: string[] = [];
  for (let i = 0; i < ENDPOINTS; i++) {
    const shop = await aMerchant();
    await anEndpoint(shop, receiver.url);
    merchantIds.push(shop.merchant.id);
  }
  const worker: ChildProcess = fork(join(tree, "worker/main.ts"), [], {
    cwd: tree,
    execArgv: [],
    env: { ...process.env, NODE_ENV: "production" },
  });
  try {
    await until(
      async () => (await sql()`select 1 from pg_stat_activity where query ilike 'listen%' and datname = current_database()`).length > 0,
    );
    await commitEvents(merchantIds, 3);
    receiver.arrivedAtMs.clear();
    const committed = await commitEvents(merchantIds, seconds);
    const healthy = [...committed].filter(([n]) => n % ENDPOINTS < ENDPOINTS - HANGING_ENDPOINTS);
    await until(async () => healthy.every(([n]) => receiver.arrivedAtMs.has(n)), 60_000);
    const waits = healthy.map(([n, at]) => (receiver.arrivedAtMs.get(n) ?? Number.NaN) - at).toSorted((a, b) => a - b);
    const at = (share: number) => Math.round((waits[Math.floor((waits.length - 1) * share)] ?? Number.NaN) * 10) / 10;
    return { events: committed.size, healthy: healthy.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) };
  } finally {
    const ended = once(worker, "exit");
    worker.kill("SIGKILL");
    await ended;
    receiver.close();
  }
}
