import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { request } from "undici";
import { closeDatabase, sql } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { systemContext } from "#services/context.ts";
import { createBusiness } from "#services/merchants/index.ts";
import { buildDocumentAssets } from "../scripts/document-assets.ts";
import { freePort, startLocalPostgres } from "../server/embedded-postgres.ts";
import { ensureDatabase } from "../server/postgres-databases.ts";
import { ROOT } from "../server/runtime.ts";
import { until } from "../testing/until.ts";
import { measureCredits } from "./credits.ts";
import { compareDashboards } from "./dashboard.ts";
import { dropDatabase } from "./databases.ts";
import { measureDeliveries } from "./deliveries.ts";
import { compareDevelopers } from "./developers.ts";
import { fillWithLinks } from "./fill.ts";
import { measureGrowth } from "./grow.ts";
import { compareLedgers, compareWithoutStatistics } from "./ledger.ts";
import { compareLighthouse } from "./lighthouse.ts";
import { type Figure, measureAll, type Target } from "./load.ts";
import { comparePurchases } from "./purchases.ts";
import { type Baselines, compareRequests } from "./requests.ts";
import { compareSignIns } from "./sign-ins.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "8" },
    rounds: { type: "string", default: "3" },
    links: { type: "string", default: "1000000" },
    rows: { type: "string", default: "10000000" },
    /** `page`, `http`, `requests`, `dashboard`, `developers`, `sign-ins`, `purchases`, `credits`, `deliveries`, `lighthouse`, `ledger` or `grow`. */
    only: { type: "string" },
    /** The sizes of `grow`, which runs only when it is named: the largest takes hours. */
    sizes: { type: "string", default: "10000,1000000,10000000" },
    /** A folder with PostgreSQL's client programs, for backups in `grow`. */
    tools: { type: "string" },
    /** Keeps the database after the run, so that it can be inspected. */
    keep: { type: "boolean", default: false },
    /** A folder with the SQL of pgledger, to compare the ledger with. */
    peer: { type: "string" },
  },
});
const SECONDS = Number(values.seconds);
const ROUNDS = Number(values.rounds);
const MANY_LINKS = Number(values.links);
const FEW_LINKS = 10_000;
const CONNECTIONS = 16;
const DELIVERY_SECONDS = 30;
const PAGE_LINKS = 2_000;
const DASHBOARD_ROUNDS = 15;
const TREE = join(ROOT, ".bench");
const DATABASE = `oja_bench_${Date.now()}`;

/** Builds a copy of the product with bare routes beside it, and with a bank and an aggregator in the process. The product has none of these. */
async function buildTree(): Promise<void> {
  rmSync(TREE, { recursive: true, force: true });
  mkdirSync(TREE);
  const folders = ["app", "components", "services", "providers", "sandbox", "db", "lib", "public", "server", "worker"];
  const files = ["testing/next-alone.ts", "package.json", "tsconfig.json", "next.config.mjs", "postcss.config.mjs"];
  await buildDocumentAssets();
  for (const name of [...folders, ...files]) cpSync(join(ROOT, name), join(TREE, name), { recursive: true });
  spawnSync("cp", ["-al", join(ROOT, "node_modules"), join(TREE, "node_modules")]);
  cpSync(join(ROOT, "bench/overlay"), TREE, { recursive: true });
  const build = spawnSync(process.execPath, [join(TREE, "node_modules/next/dist/bin/next"), "build"], { cwd: TREE, encoding: "utf8" });
  if (build.status !== 0) throw new Error(`${build.stdout}\n${build.stderr}`);
}

const measured = (url: string, headers: Record<string, string>, targets: Target[]) =>
  measureAll(url, headers, targets, { seconds: SECONDS, rounds: ROUNDS });

const perSecondOf = (figures: Figure[], name: string) => figures.find((figure) => figure.name === name)?.perSecond ?? Number.NaN;
const share = (part: number, whole: number) => `${Math.round((part / whole) * 100)}%`;

/** Returns the compressed bytes of the scripts that a page loads. */
async function scriptBytes(url: string, path: string): Promise<number> {
  const html = await (await fetch(`${url}${path}`)).text();
  const sources = new Set([...html.matchAll(/<script[^>]+src="([^"]+)"/g)].map(([, source]) => source));
  let bytes = 0;
  for (const source of sources) {
    const compressed = await request(`${url}${source}`, { headers: { "accept-encoding": "gzip" } });
    bytes += (await compressed.body.arrayBuffer()).byteLength;
  }
  return bytes;
}

interface Merchant {
  id: string;
  key: { publicKey: string; secretKey: string };
}

/** Compares creating a link and reading its status with baselines of the same process. */
async function compareHttp(url: string, { id, key }: Merchant): Promise<void> {
  const headers = { "x-api-key": key.publicKey, "x-api-secret": key.secretKey, "content-type": "application/json" };
  const body = JSON.stringify({ amount: 5_000, description: "Two bags of rice" });
  const link = await (await fetch(`${url}/api/v1/checkout/create`, { method: "POST", headers, body })).json();
  const create: Target = { name: "create", path: "/api/v1/checkout/create", method: "POST", body };
  const figures = await measured(url, headers, [
    { name: "baseline: bare handler", path: "/api/bench/bare" },
    { name: "baseline: one indexed read", path: "/api/bench/read?id=one" },
    { name: "baseline: one durable insert", path: "/api/bench/insert", method: "POST", body },
    { name: "status", path: `/api/v1/checkout/status?reference=${link.reference}` },
    create,
  ]);
  console.table(figures);
  const of = (name: string) => perSecondOf(figures, name);
  console.log(`status is ${share(of("status"), of("baseline: one indexed read"))} of the read baseline (aim 80%)`);
  console.log(`create is ${share(of("create"), of("baseline: one durable insert"))} of the insert baseline (aim 70%)`);
  await fillWithLinks(id, FEW_LINKS);
  const [few] = await measured(url, headers, [create]);
  await fillWithLinks(id, MANY_LINKS);
  const [many] = await measured(url, headers, [create]);
  console.log(
    `create with ${FEW_LINKS} links: ${few?.perSecond}/s (p99 ${few?.p99Ms} ms); with ${MANY_LINKS}: ${many?.perSecond}/s (p99 ${many?.p99Ms} ms), ${share(many?.perSecond ?? 0, few?.perSecond ?? 1)}`,
  );
}

/** Compares the payer's page with a bare handler and a bare page of the App Router. Requests go to many links, as payers do. */
async function comparePage(url: string, { key }: Merchant): Promise<void> {
  const headers = { "x-api-key": key.publicKey, "x-api-secret": key.secretKey, "content-type": "application/json" };
  const body = JSON.stringify({ amount: 7_250.5, description: "Two trays of jollof and a very cold zobo" });
  const create = async () => (await (await fetch(`${url}/api/v1/checkout/create`, { method: "POST", headers, body })).json()).reference;
  const paths: string[] = [];
  for (let i = 0; i < PAGE_LINKS; i++) paths.push(`/pay/${await create()}`);
  const page = "payer's page";
  const figures = await measured(url, {}, [
    { name: "baseline: bare handler", path: "/api/bench/bare" },
    { name: page, path: paths },
    { name: "payer's status", path: paths.map((path) => `${path}/status`) },
    // Last in a round, because it leaves a large heap that would slow the next target.
    { name: "baseline: bare App Router page", path: "/bench-page" },
  ]);
  console.table(figures);
  const of = (name: string) => perSecondOf(figures, name);
  console.log(
    `the page is ${share(of(page), of("baseline: bare handler"))} of the bare handler, ${share(of(page), of("baseline: bare App Router page"))} of a bare App Router page (aim 300%)`,
  );
  console.log(
    `a bare App Router page brings ${await scriptBytes(url, "/bench-page")} bytes of script (compressed), the payer's page ${await scriptBytes(url, paths[0] ?? "")}`,
  );
}

async function measureSignIns(url: string, { key }: Merchant): Promise<void> {
  const headers = { "x-api-key": key.publicKey, "x-api-secret": key.secretKey, "content-type": "application/json" };
  const body = JSON.stringify({ amount: 5_000, description: "Two bags of rice" });
  const { reference } = await (await fetch(`${url}/api/v1/checkout/create`, { method: "POST", headers, body })).json();
  await compareSignIns(url, { headers, statusPath: `/api/v1/checkout/status?reference=${reference}`, seconds: SECONDS, rounds: ROUNDS });
}

/** Measures deliveries from the commit to the first attempt. */
async function compareDeliveries(): Promise<void> {
  const latencies = await measureDeliveries(TREE, DELIVERY_SECONDS);
  console.table([{ name: "commit to first delivery attempt, healthy endpoints", ...latencies }]);
  console.log("200 events/s to 20 endpoints, two of which hang (aim: p99 under 500 ms)");
}

const STATISTICS_POSTS = 50_000;

async function measureLedger(): Promise<void> {
  // First, because the other scenarios leave statistics behind.
  await compareWithoutStatistics(process.env.DATABASE_URL ?? "", STATISTICS_POSTS);
  const peer =
    values.peer === undefined ? undefined : { url: await ensureDatabase(postgres, `oja_peer_${Date.now()}`), folder: values.peer };
  await compareLedgers({ ...(peer && { peer }), seconds: SECONDS, rounds: ROUNDS });
}

/** Measures what a merchant's growth costs, and backups of it. */
const measureGrowthOf = (url: string, databaseUrl: string) =>
  measureGrowth({
    ...{ url, databaseUrl, postgres, tools: values.tools, folder: join(ROOT, ".data", "bench-backup") },
    ...{ sizes: values.sizes.split(",").map(Number), seconds: SECONDS, rounds: ROUNDS },
  });

const postgres = await startLocalPostgres(join(ROOT, ".data", "bench"));
const processes: ChildProcess[] = [];

/** Starts a program of the copy on a port of its own. Returns its address once it answers. */
async function startInTree(script: string, port: number): Promise<string> {
  const env = { ...process.env, NODE_ENV: "production" as const, WEB_CONCURRENCY: "1", PORT: String(port) };
  // Every request is logged, as in production, but the output is discarded.
  processes.push(fork(join(TREE, script), [], { cwd: TREE, env, execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] }));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => (await fetch(`${url}/health`).catch(() => undefined))?.ok, 30_000);
  return url;
}

/** Starts the two baselines of the requests: the same routes on Next alone, and on bare `node:http`. */
async function startBaselines(): Promise<Baselines> {
  return {
    next: await startInTree("testing/next-alone.ts", await freePort()),
    node: await startInTree("bench/bare-http.ts", await freePort()),
  };
}

try {
  console.log(
    `Building … (${availableParallelism()} cores, ${cpus()[0]?.model}; load generator, PostgreSQL and one web process share them)`,
  );
  const needsWeb = values.only !== "ledger";
  if (needsWeb) await buildTree();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  Object.assign(process.env, {
    PUBLIC_REQUESTS_PER_SECOND: "1000000",
    // The load generator names another network for each sign-in.
    TRUSTED_PROXIES: "127.0.0.1, ::1",
    BASE_URL: url,
    DATABASE_URL: await ensureDatabase(postgres, DATABASE),
    OJA_SECRET_KEY: "a key of the bench that guards nothing",
    PORT: String(port),
    DATABASE_POOL_SIZE: String(CONNECTIONS),
    LOG_LEVEL: "info",
    OJA_ALLOW_LOOPBACK_WEBHOOKS: "1",
  });
  await migrate(process.env.DATABASE_URL ?? "");
  const { testMerchantId: id, testKey: key } = await createBusiness(systemContext("seed"), {
    name: "Bench",
    owner: { email: "bench@bench.example", name: "Bench", password: "irrelevant here" },
  });
  // Raised so that the rate limit is computed for every request but never reached.
  await sql()`update merchants set requests_per_second = 1000000, request_burst = 2000000`;
  await sql()`create table bench_rows (id text primary key, amount int not null, description text not null, created_at timestamptz not null default now())`;
  await sql()`insert into bench_rows values ('one', 5000, 'Two bags of rice')`;
  if (needsWeb) {
    await startInTree("server/web.ts", port);
  }

  const isWanted = (part: string) => values.only === undefined || values.only === part;
  if (isWanted("page")) await comparePage(url, { id, key });
  if (isWanted("http")) await compareHttp(url, { id, key });
  if (isWanted("requests")) await compareRequests(url, await startBaselines(), { key, seconds: SECONDS, rounds: ROUNDS });
  if (isWanted("dashboard")) await compareDashboards(url, Number(values.rows), DASHBOARD_ROUNDS);
  if (isWanted("developers")) await compareDevelopers(url, Number(values.rows), DASHBOARD_ROUNDS);
  if (isWanted("sign-ins")) await measureSignIns(url, { id, key });
  if (isWanted("purchases")) await comparePurchases(url, SECONDS, ROUNDS);
  if (isWanted("credits")) await measureCredits(url, ROUNDS);
  if (isWanted("deliveries")) await compareDeliveries();
  if (isWanted("lighthouse")) await compareLighthouse(url, "/sign-in", ROUNDS);
  if (isWanted("ledger")) await measureLedger();
  if (values.only === "grow") await measureGrowthOf(url, process.env.DATABASE_URL ?? "");
} finally {
  for (const each of processes) {
    const ended = once(each, "exit");
    each.kill("SIGTERM");
    await ended;
  }
  await closeDatabase();
  if (values.only === "grow" && !values.keep) await dropDatabase(postgres.url, DATABASE);
  await postgres.stop();
}
