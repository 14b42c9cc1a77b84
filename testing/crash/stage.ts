import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { pageHeaders } from "#app/_http/page-headers.fixture.ts";
import { closeDatabase, connect } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { naira } from "#lib/money.ts";
import { shared } from "#lib/shared.ts";
import { addToWallet } from "#services/cards/cards.fixture.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { anEndpoint } from "#services/webhooks/webhooks.fixture.ts";
import { freePort } from "../../server/embedded-postgres.ts";
import { ensureDatabase } from "../../server/postgres-databases.ts";
import { listenOnLoopback } from "../listen-on-loopback.ts";
import { Failpoints, type Kill, type Mortal, type Role } from "./failpoints.ts";
import { faultyProvidersOf } from "./faulty-providers.ts";
import type { MerchantInPlay, Violation, World } from "./flow.ts";
import { receive, subscribers } from "./flows/events.ts";
import { goLive, startLiveBanks } from "./flows/live-banks.ts";
import { prepare as preparePayouts } from "./flows/payouts.ts";
import { prepare as prepareRefunds } from "./flows/refunds.ts";
import { startHttpProxy } from "./http-proxy.ts";
import { startPostgresProxy } from "./postgres-proxy.ts";
import { PostgresServer, ProductProcess } from "./processes.ts";
import { Random } from "./random.ts";
import { identityOf, RecordingClient } from "./recording-client.ts";
import { tellSandbox } from "./tell-sandbox.ts";

const MERCHANTS = 6;
/** Naira in each wallet at the start. */
const WALLET_NAIRA = 5_000_000;
/** A stopping process drains for 8 s. The rest allows for a machine that is three times slower. */
const MAX_STOP_MS = 30_000;
/** The share of deliveries that a merchant's server answers with 500. */
const FAILURE_SHARE = 0.03;

/** Runs the parts of a campaign: the product between proxies, its database, and the merchants' servers. */
export class Stage {
  readonly failpoints = new Failpoints((kill, passing) => this.#execute(kill, passing));
  readonly postgres = new PostgresServer();
  #processes: ProductProcess[] = [];
  #database = "";
  #webPort = 0;
  #world: World | undefined;
  #down: ProductProcess[] = [];
  readonly misbehaved: Violation[] = [];
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  async build(): Promise<void> {
    await this.postgres.start();
    this.#database = `oja_crash_${randomBytes(4).toString("hex")}`;
    const url = await ensureDatabase(this.postgres.server, this.#database);
    await migrate(url);
    this.#webPort = await freePort();
    const secretKey = randomBytes(32).toString("hex");
    Object.assign(process.env, {
      DATABASE_URL: url,
      OJA_SECRET_KEY: secretKey,
      PORT: String(this.#webPort),
      OJA_ALLOW_LOOPBACK_WEBHOOKS: "1",
    });
    Object.assign(process.env, await startLiveBanks(this.webUrl, this.failpoints));
    const merchants: MerchantInPlay[] = [];
    const receiver = await this.#startReceiver();
    for (let i = 0; i < MERCHANTS; i++) merchants.push(await this.#addMerchant(i, receiver));
    await closeDatabase();
    const { sql } = connect(url, { max: 4 });
    // The load of a campaign must not be limited by rate limits.
    await sql`update merchants set requests_per_second = 100000, request_burst = 100000`;
    this.#world = {
      ...{ merchants, sql, tellSandbox: (operation, body) => tellSandbox(this.webUrl, operation, body) },
      sendForm: (path, fields) => this.#sendForm(path, fields),
    };
    await this.#startProduct();
  }

  get world(): World {
    if (!this.#world) throw new Error("the stage is not built");
    return this.#world;
  }

  get webUrl(): string {
    return `http://127.0.0.1:${this.#webPort}`;
  }

  /** Sends a form of a page for people. Returns where its answer leads, or undefined without an answer. */
  async #sendForm(path: string, fields: Record<string, string>): Promise<URL | undefined> {
    const headers = { Origin: this.webUrl, "Sec-Fetch-Site": "same-origin" };
    const sent = { method: "POST", redirect: "manual", body: new URLSearchParams(fields), headers } as const;
    const answer = await fetch(`${this.webUrl}${path}`, { ...sent, signal: AbortSignal.timeout(12_000) }).catch(() => undefined);
    const location = answer?.status === 303 ? answer.headers.get("location") : null;
    return location === null ? undefined : new URL(location, this.webUrl);
  }

  async #addMerchant(i: number, receiver: string): Promise<MerchantInPlay> {
    // Every other merchant uses the bank that tells little, the issuer that does everything later, and the aggregator with other names for everything.
    const shop = await aMerchant({
      name: `Crash ${i}`,
      bank: i % 2 ? "sandbox-plain" : "sandbox",
      issuer: i % 2 ? "sandbox-async" : "sandbox",
      aggregator: i % 2 ? "sandbox-vtpass" : "sandbox",
    });
    await addToWallet(shop, naira(WALLET_NAIRA));
    await preparePayouts(shop);
    await prepareRefunds(shop);
    const merchantId = shop.merchant.id;
    const { id: endpointId, secret } = await anEndpoint(shop, `${receiver}/${i}`);
    subscribers.push({ merchantId, endpointId, secret, accepted: new Map(), arrivals: [], forged: [] });
    const pages = [await this.#openPage(shop), await this.#openPage(shop)];
    const live = { merchantId: shop.liveMerchantId, client: new RecordingClient(() => this.webUrl, identityOf(await goLive(shop, i))) };
    return { merchantId, client: new RecordingClient(() => this.webUrl, identityOf(shop.key)), pages, live };
  }

  /** Opens a page of another owner. */
  async #openPage({ merchant }: TestMerchant): Promise<RecordingClient> {
    const { token } = await aMember(merchant.businessId, "owner");
    return new RecordingClient(() => this.webUrl, pageHeaders({ url: this.webUrl }, token, merchant.id));
  }

  /** Starts the merchants' servers. A worker may die before a delivery reaches them, or before it reads their answer. */
  async #startReceiver(): Promise<string> {
    const point = { role: "worker", kind: "delivery", label: "webhook" } as const;
    const server = createServer(async (incoming: IncomingMessage, outgoing) => {
      const { url: path = "", headers } = incoming;
      const subscriber = subscribers[Number(path.slice(1))];
      if (!subscriber) throw new Error(`there is no subscriber at ${path}`);
      subscriber.arrivals.push(String(headers["webhook-id"]));
      if (this.failpoints.hit(point, "before")) {
        incoming.destroy();
        return;
      }
      const body = await buffer(incoming).catch(() => undefined);
      // The sending worker has died.
      if (!body) return;
      const isAccepted = !this.#random.chance(FAILURE_SHARE);
      receive(subscriber, { headers, body: body.toString(), isAccepted });
      if (this.failpoints.hit(point, "after")) incoming.destroy();
      else outgoing.writeHead(isAccepted ? 200 : 500).end();
    });
    return `http://127.0.0.1:${await listenOnLoopback(server)}`;
  }

  async #startProduct(): Promise<void> {
    const isWebReady = async () => (await fetch(`${this.webUrl}/health`).catch(() => undefined))?.ok ?? false;
    await this.#addProcess("web", "web", { script: "server/web.ts", isReady: isWebReady });
    for (const name of ["worker-1", "worker-2"])
      await this.#addProcess("worker", name, { script: "worker/main.ts", isReady: async () => true });
    for (const each of this.#processes) await each.start();
  }

  async #addProcess(role: Role, name: string, service: { script: string; isReady: () => Promise<boolean> }): Promise<void> {
    const around = { role, process: () => added, failpoints: this.failpoints };
    const databaseUrl = new URL(process.env.DATABASE_URL ?? "");
    databaseUrl.port = String(await startPostgresProxy(around, () => this.postgres.port));
    const env = {
      DATABASE_URL: databaseUrl.href,
      BASE_URL: this.webUrl,
      SANDBOX_URL: `http://127.0.0.1:${await startHttpProxy(around, () => this.#webPort, faultyProvidersOf(this.#random))}`,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      WEB_CONCURRENCY: "1",
      DATABASE_POOL_SIZE: "8",
    };
    const added = new ProductProcess(name, { ...service, env });
    this.#processes.push(added);
  }

  /** Kills the victim. A delivery does not name its worker, so all workers die there. */
  #execute({ victim }: Kill, passing: Mortal | undefined): void {
    const ofRole = this.#processes.filter(({ name }) => name.startsWith(victim));
    const dying = victim === "postgres" ? [] : this.#processes.filter((each) => (passing ? each === passing : ofRole.includes(each)));
    if (victim === "postgres") this.postgres.kill();
    for (const each of dying) each.kill();
    this.#down = dying;
  }

  get processes(): readonly ProductProcess[] {
    return this.#processes;
  }

  /** Stops a process, as a deployment does, and starts it again. */
  async stopAndStart(random: Random): Promise<void> {
    const leaving = random.pick(this.#processes);
    const startedAt = performance.now();
    const code = await leaving.stop();
    const ms = Math.round(performance.now() - startedAt);
    if (code !== 0 || ms > MAX_STOP_MS) this.misbehaved.push(`${leaving.name} was told to stop and ended with ${code} after ${ms} ms`);
    await leaving.start();
  }

  async bringBack({ victim }: Kill): Promise<void> {
    if (victim !== "postgres") {
      await Promise.all(this.#down.map((each) => each.start()));
      return;
    }
    await this.postgres.start();
    const url = new URL(this.postgres.server.serviceUrl);
    url.pathname = `/${this.#database}`;
    process.env.DATABASE_URL = url.href;
    // The flows that play operators call services in this process, whose settings still name the port of before.
    await closeDatabase();
    shared("connection", () => connect(url.href, { max: 2 }));
    await this.world.sql.end({ timeout: 0 });
    this.world.sql = connect(url.href, { max: 4 }).sql;
  }

  /** Processes that ended without a kill, or did not stop in time. */
  get misconduct(): Violation[] {
    return [...this.misbehaved, ...this.#processes.flatMap(({ endedByItself }) => endedByItself)];
  }

  async close({ keep }: { keep: boolean }): Promise<void> {
    for (const each of this.#processes) await each.stop();
    await closeDatabase();
    await this.world.sql.end({ timeout: 1 });
    await this.postgres.end({ keep });
  }
}
