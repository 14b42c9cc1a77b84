import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { request } from "undici";
import { closeDatabase, connect } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { anEndpoint } from "#services/webhooks/webhooks.fixture.ts";
import { ensureDatabase, freePort } from "../../server/embedded-postgres.ts";
import { until } from "../until.ts";
import { Failpoints, type Kill } from "./failpoints.ts";
import type { MerchantInPlay, World } from "./flow.ts";
import { receive, subscribers } from "./flows/events.ts";
import { collect, startHttpProxy } from "./http-proxy.ts";
import { startPostgresProxy } from "./postgres-proxy.ts";
import { PostgresServer, ProductProcess } from "./processes.ts";
import { Random } from "./random.ts";
import { RecordingClient } from "./recording-client.ts";

const MERCHANTS = 3;
/** Of the deliveries that a merchant's server receives. */
const FAILS_SHARE = 0.03;

/** Everything that runs in a campaign: the product between proxies, its database, and the merchants' servers. */
export class Stage {
  readonly failpoints = new Failpoints((kill) => this.#execute(kill));
  readonly postgres = new PostgresServer();
  #processes: ProductProcess[] = [];
  #database = "";
  #webPort = 0;
  #world: World | undefined;
  readonly #weather: Random;

  constructor(seed: number) {
    this.#weather = new Random(seed);
  }

  async build(): Promise<void> {
    await this.postgres.start();
    this.#database = `oja_crash_${randomBytes(4).toString("hex")}`;
    const url = await ensureDatabase(this.postgres.url, this.#database);
    await migrate(url);
    this.#webPort = await freePort();
    const secretKey = randomBytes(32).toString("hex");
    Object.assign(process.env, {
      DATABASE_URL: url,
      OJA_SECRET_KEY: secretKey,
      PORT: String(this.#webPort),
      OJA_ALLOW_LOOPBACK_WEBHOOKS: "1",
    });
    const merchants: MerchantInPlay[] = [];
    const receiver = await this.#startReceiver();
    for (let i = 0; i < MERCHANTS; i++) merchants.push(await this.#addMerchant(i, receiver));
    await closeDatabase();
    const { sql } = connect(url, { max: 4 });
    // Bursts of a campaign are not what a rate limit is for.
    await sql`update merchants set requests_per_second = 100000, request_burst = 100000`;
    this.#world = { merchants, sql, tellSandbox: (operation, body) => this.#tellSandbox(operation, body) };
    await this.#startProduct();
  }

  get world(): World {
    if (!this.#world) throw new Error("the stage is not built");
    return this.#world;
  }

  get webUrl(): string {
    return `http://127.0.0.1:${this.#webPort}`;
  }

  async #addMerchant(i: number, receiver: string): Promise<MerchantInPlay> {
    const shop = await aMerchant({ name: `Crash ${i}` });
    const merchantId = shop.merchant.id;
    const { id: endpointId, secret } = await anEndpoint(shop, `${receiver}/${i}`);
    subscribers.push({ merchantId, endpointId, secret, told: new Map(), forged: [] });
    return { merchantId, client: new RecordingClient(() => this.webUrl, shop.key) };
  }

  /** The merchants' servers: a worker may die before a delivery has reached them, or before it has heard their answer. */
  async #startReceiver(): Promise<string> {
    const point = { role: "worker", kind: "delivery", label: "webhook" } as const;
    const server = createServer(async (incoming: IncomingMessage, outgoing) => {
      if (this.failpoints.hit(point, "before")) {
        incoming.destroy();
        return;
      }
      const body = await collect(incoming).catch(() => undefined);
      // Whoever sent it has died.
      if (!body) return;
      const { url: path = "", headers } = incoming;
      const subscriber = subscribers[Number(path.slice(1))];
      if (subscriber) receive(subscriber, headers, body.toString());
      if (this.failpoints.hit(point, "after")) incoming.destroy();
      else outgoing.writeHead(this.#weather.chance(FAILS_SHARE) ? 500 : 200).end();
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const address = server.address();
    return `http://127.0.0.1:${address && typeof address === "object" ? address.port : 0}`;
  }

  async #startProduct(): Promise<void> {
    const envFor = async (role: "web" | "worker") => {
      const databasePort = await startPostgresProxy(role, this.failpoints, () => this.postgres.port);
      const sandboxPort = await startHttpProxy(role, this.failpoints, () => this.#webPort);
      const url = new URL(process.env.DATABASE_URL ?? "");
      url.port = String(databasePort);
      return {
        DATABASE_URL: url.href,
        BASE_URL: this.webUrl,
        SANDBOX_URL: `http://127.0.0.1:${sandboxPort}`,
        NODE_ENV: "production",
        LOG_LEVEL: "warn",
        WEB_CONCURRENCY: "1",
        DATABASE_POOL_SIZE: "8",
      };
    };
    const isWebReady = async () => (await fetch(`${this.webUrl}/health`).catch(() => undefined))?.ok ?? false;
    this.#processes = [
      new ProductProcess("web", { script: "server/web.ts", env: await envFor("web"), isReady: isWebReady }),
      new ProductProcess("worker", { script: "worker/main.ts", env: await envFor("worker"), isReady: async () => true }),
    ];
    for (const each of this.#processes) await each.start();
  }

  #execute({ victim }: Kill): void {
    if (victim === "postgres") this.postgres.kill();
    else this.#processes.find(({ role }) => role === victim)?.kill();
  }

  async bringBack({ victim }: Kill): Promise<void> {
    if (victim !== "postgres") {
      await this.#processes.find(({ role }) => role === victim)?.start();
      return;
    }
    await this.postgres.start();
    const url = new URL(this.postgres.url);
    url.pathname = `/${this.#database}`;
    process.env.DATABASE_URL = url.href;
    await this.world.sql.end({ timeout: 0 });
    this.world.sql = connect(url.href, { max: 4 }).sql;
  }

  /** Processes that ended though nobody had killed them. */
  get endedByThemselves(): string[] {
    return this.#processes.flatMap(({ endedByItself }) => endedByItself);
  }

  async #tellSandbox(operation: string, content: unknown): Promise<void> {
    const body = JSON.stringify(content);
    await until(async () => {
      try {
        const reply = await request(`${this.webUrl}/sandbox/bank/${operation}`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) },
          body,
          headersTimeout: 10_000,
        });
        await reply.body.dump();
        return reply.statusCode < 300;
      } catch {
        // It died; it is asked again.
        return false;
      }
    }, 60_000);
  }

  async close(): Promise<void> {
    for (const each of this.#processes) await each.stop();
    await this.world.sql.end({ timeout: 1 });
    await this.postgres.stop();
  }
}
