import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import { db, sql } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { systemContext } from "#services/context.ts";
import { postTransfers, SETTLEMENT_BANK, WALLET } from "#services/ledger/index.ts";
import { createBusiness } from "#services/merchants/index.ts";

const CONNECTIONS = 16;
/** Connections of the loud merchant, beside which a quiet merchant is measured. */
const LOUD_CONNECTIONS = 64;
/** More than a bench can spend. */
const WALLET_KOBO = 10n ** 14n;
const QUIET_EVERY_MS = 25;
export const PURCHASE_PATH = "/api/v1/vtu/airtime";

export type Headers = Record<string, string>;

export interface Load {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  failed: number;
}

let merchants = 0;

export const WALLETS = 200;

/** Creates a merchant with enough money in its wallet. Returns the headers of its requests. */
export async function aBuyer(): Promise<Headers> {
  const { testMerchantId, testKey } = await createBusiness(systemContext("seed"), {
    name: "Buyer",
    owner: { email: `buyer${merchants++}@bench.example`, name: "Buyer", password: "irrelevant here" },
  });
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 2000000 where id = ${testMerchantId}`;
  await postTransfers(db(), testMerchantId, [
    { kind: "post", key: "bench", debit: SETTLEMENT_BANK, credit: WALLET, amount: money(WALLET_KOBO, "NGN") },
  ]);
  return { "x-api-key": testKey.publicKey, "x-api-secret": testKey.secretKey, "content-type": "application/json" };
}

let orderCount = 0;

/** Returns the body of an order. Each has a phone of its own, so the search for duplicates runs and finds none. */
export const order = () =>
  JSON.stringify({ network: "mtn", phone: `080${String(orderCount++ % 100_000_000).padStart(8, "0")}`, amount: 100 });

/** Sends purchases of the buyers in rotation, as fast as the connections allow. */
export async function flood(url: string, buyers: Headers[], seconds: number, connections = CONNECTIONS): Promise<Load> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: "POST",
        path: PURCHASE_PATH,
        setupRequest: (request) => ({ ...request, headers: { ...request.headers, ...buyers[orderCount % buyers.length] }, body: order() }),
      },
    ],
  });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

async function baseline(url: string, path: string, method: "GET" | "POST", seconds: number): Promise<Load> {
  const body = method === "POST" ? JSON.stringify({ amount: 5_000, description: "Two bags of rice" }) : undefined;
  const result = await autocannon({
    url: `${url}${path}`,
    method,
    connections: CONNECTIONS,
    duration: seconds,
    headers: { "content-type": "application/json" },
    ...(body && { body }),
  });
  return {
    perSecond: result.requests.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failed: result.non2xx + result.errors,
  };
}

/** Returns the latencies of a merchant with 40 purchases a second, in milliseconds from each send. */
async function measureQuietMerchant(url: string, buyer: Headers, seconds: number): Promise<number[]> {
  const latencies: number[] = [];
  const sent: Promise<void>[] = [];
  for (let n = 0; n < (seconds * 1_000) / QUIET_EVERY_MS; n++) {
    const startedAtMs = performance.now();
    sent.push(
      fetch(`${url}${PURCHASE_PATH}`, { method: "POST", headers: buyer, body: order() }).then(async (answer) => {
        await answer.arrayBuffer();
        if (answer.status === 200) latencies.push(performance.now() - startedAtMs);
      }),
    );
    await wait(QUIET_EVERY_MS);
  }
  await Promise.all(sent);
  return latencies;
}

const percentile = (figures: number[], share: number) =>
  figures.toSorted((a, b) => a - b)[Math.floor(figures.length * share)] ?? Number.NaN;
const median = (figures: number[]) => percentile(figures, 0.5);
const share = (part: number, whole: number) => `${Math.round((part / whole) * 100)}%`;

/** Puts the product on sale that purchases are made of. */
export const sellAirtime = () => sql()`
  insert into products (provider, service, code, name, brand, variant) values ('sandbox', 'airtime', 'mtn-vtu', 'MTN airtime (VTU)', 'mtn', 'VTU')
  on conflict do nothing`;

/** Compares purchases with baselines of the same process, and a quiet merchant alone with one beside a loud merchant. */
export async function comparePurchases(url: string, seconds: number, rounds: number): Promise<void> {
  await sellAirtime();
  // One after the other, because a process refuses passwords while too many wait to be hashed.
  const many: Awaited<ReturnType<typeof aBuyer>>[] = [];
  for (let i = 0; i < WALLETS; i++) many.push(await aBuyer());
  const [loud, quiet] = [await aBuyer(), await aBuyer()];
  const targets: Record<string, (forSeconds: number) => Promise<Load>> = {
    "baseline: bare handler": (forSeconds) => baseline(url, "/api/bench/bare", "GET", forSeconds),
    "baseline: one durable insert": (forSeconds) => baseline(url, "/api/bench/insert", "POST", forSeconds),
    "purchases, one wallet": (forSeconds) => flood(url, [loud], forSeconds),
    [`purchases, ${WALLETS} wallets`]: (forSeconds) => flood(url, many, forSeconds),
  };
  const figures = new Map(Object.keys(targets).map((name) => [name, [] as Load[]]));
  const alone: number[] = [];
  const beside: number[] = [];
  const ofLoud: Load[] = [];
  for (const run of Object.values(targets)) await run(2);
  // Autovacuum does this within a minute of the first load; the run is shorter than that.
  await sql()`analyze`;
  for (let round = 0; round < rounds; round++) {
    for (const [name, run] of Object.entries(targets)) figures.get(name)?.push(await run(seconds));
    alone.push(...(await measureQuietMerchant(url, quiet, seconds)));
    const flooding = flood(url, [loud], seconds + 1, LOUD_CONNECTIONS);
    await wait(500);
    beside.push(...(await measureQuietMerchant(url, quiet, seconds)));
    ofLoud.push(await flooding);
  }
  const table = [...figures].map(([name, loads]) => ({
    name,
    perSecond: Math.round(median(loads.map(({ perSecond }) => perSecond))),
    p50Ms: median(loads.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(loads.map(({ p99Ms }) => p99Ms)),
    failed: loads.reduce((sum, { failed }) => sum + failed, 0),
  }));
  console.table(table);
  const perSecond = (name: string) => table.find((row) => row.name === name)?.perSecond ?? Number.NaN;
  const insert = perSecond("baseline: one durable insert");
  console.log(`purchases from one wallet are ${share(perSecond("purchases, one wallet"), insert)} of the insert baseline (aim 60%)`);
  console.log(`purchases from ${WALLETS} wallets are ${share(perSecond(`purchases, ${WALLETS} wallets`), insert)} of it`);
  const [aloneMs, besideMs] = [percentile(alone, 0.99), percentile(beside, 0.99)];
  console.log(
    `a quiet merchant (${1_000 / QUIET_EVERY_MS} purchases/s): p50 ${median(alone).toFixed(1)} ms, p99 ${aloneMs.toFixed(1)} ms alone; p50 ${median(beside).toFixed(1)} ms, p99 ${besideMs.toFixed(1)} ms while another floods with ${LOUD_CONNECTIONS} connections (${(besideMs / aloneMs).toFixed(1)} times, aim 2)`,
  );
  console.log(
    `the loud merchant: ${Math.round(median(ofLoud.map(({ perSecond }) => perSecond)))} purchases/s, ${ofLoud.reduce((sum, { failed }) => sum + failed, 0)} failed`,
  );
}
