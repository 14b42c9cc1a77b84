import { randomBytes } from "node:crypto";
import { closeDatabase, connect } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { naira } from "#lib/money.ts";
import { addToWallet } from "#services/cards/cards.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { freePort } from "../../server/embedded-postgres.ts";
import type { MerchantInPlay, Violation, World } from "../crash/flow.ts";
import { ProductProcess } from "../crash/processes.ts";
import { identityOf, RecordingClient } from "../crash/recording-client.ts";
import { tellSandbox } from "../crash/tell-sandbox.ts";
import { Cluster } from "./cluster.ts";

const MERCHANTS = 4;
const WALLET_NAIRA = 5_000_000;

/** The product on a primary and its standby, and merchants that use it. */
export class Scene {
  readonly cluster: Cluster;
  #webPort = 0;
  #world: World | undefined;
  #processes: ProductProcess[] = [];

  constructor(options: { hasSmallDisk: boolean }) {
    this.cluster = new Cluster(options);
  }

  async build(): Promise<void> {
    await this.cluster.build();
    this.#webPort = await freePort();
    const direct = this.cluster.directUrl(this.cluster.primary);
    Object.assign(process.env, { DATABASE_URL: direct, OJA_SECRET_KEY: randomBytes(32).toString("hex"), PORT: String(this.#webPort) });
    await migrate(this.cluster.url);
    const merchants: MerchantInPlay[] = [];
    for (let i = 0; i < MERCHANTS; i++) {
      const shop = await aMerchant({ name: `Shop ${i}` });
      await addToWallet(shop, naira(WALLET_NAIRA));
      merchants.push({ merchantId: shop.merchant.id, client: new RecordingClient(() => this.webUrl, identityOf(shop.key)), pages: [] });
    }
    await closeDatabase();
    const { sql } = connect(direct, { max: 4 });
    // The load must not meet rate limits.
    await sql`update merchants set requests_per_second = 100000, request_burst = 100000`;
    this.#world = {
      merchants,
      sql,
      sendForm: async () => undefined,
      tellSandbox: (operation, body) => tellSandbox(this.webUrl, operation, body),
    };
    await this.#startProduct();
  }

  get world(): World {
    if (!this.#world) throw new Error("the scene is not built");
    return this.#world;
  }

  get webUrl(): string {
    return `http://127.0.0.1:${this.#webPort}`;
  }

  async #startProduct(): Promise<void> {
    const isWebReady = async () => (await fetch(`${this.webUrl}/health`).catch(() => undefined))?.ok ?? false;
    const env = {
      DATABASE_URL: this.cluster.url,
      BASE_URL: this.webUrl,
      SANDBOX_URL: this.webUrl,
      NODE_ENV: "production",
      LOG_LEVEL: "warn",
      WEB_CONCURRENCY: "1",
      DATABASE_POOL_SIZE: "8",
    };
    this.#processes = [
      new ProductProcess("web", { script: "server/web.ts", env, isReady: isWebReady }),
      new ProductProcess("worker", { script: "worker/main.ts", env, isReady: async () => true }),
    ];
    for (const each of this.#processes) {
      const started = each.start();
      each.noteConnection();
      await started;
    }
  }

  /** Connects the merchants' side to the standby, which is about to become the primary. */
  async followStandby(): Promise<void> {
    await this.world.sql.end({ timeout: 0 });
    this.world.sql = connect(this.cluster.directUrl(this.cluster.standby), { max: 4 }).sql;
  }

  /** Returns how many answers the merchants have. */
  get acknowledged(): number {
    return this.world.merchants.flatMap(({ client }) => client.operations).reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
  }

  /** Processes that ended by themselves. */
  get misconduct(): Violation[] {
    return this.#processes.flatMap(({ endedByItself }) => endedByItself);
  }

  async close({ keep }: { keep: boolean }): Promise<void> {
    for (const each of this.#processes) await each.stop();
    await this.#world?.sql.end({ timeout: 1 });
    await this.cluster.end({ keep });
  }
}
