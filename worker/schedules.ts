import { PgBoss } from "pg-boss";
import { sql } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { alarmOnUndecidedOperations, alarmOnWaitingSpend, compareCards, releaseExpiredAuthorizations } from "#services/cards/index.ts";
import { type SystemContext, systemContext } from "#services/context.ts";
import { purgeOldKeys } from "#services/idempotency/index.ts";
import { purgeOldAttempts } from "#services/webhooks/index.ts";

interface Job {
  name: string;
  /** In UTC. */
  cron: string;
  run: (ctx: SystemContext) => Promise<void>;
}

/** What happens at set times, once, however many workers there are. */
const jobs: Job[] = [
  { name: "forget-idempotency-keys", cron: "7 * * * *", run: async (ctx) => noteCount("idempotency keys", await purgeOldKeys(ctx)) },
  { name: "forget-delivery-attempts", cron: "17 * * * *", run: async (ctx) => noteCount("delivery attempts", await purgeOldAttempts(ctx)) },
  { name: "alarm-on-waiting-spend", cron: "*/10 * * * *", run: async (ctx) => void (await alarmOnWaitingSpend(ctx)) },
  { name: "alarm-on-undecided-operations", cron: "37 * * * *", run: async (ctx) => void (await alarmOnUndecidedOperations(ctx)) },
  { name: "release-expired-authorizations", cron: "29 * * * *", run: async (ctx) => void (await releaseExpiredAuthorizations(ctx, 1_000)) },
  { name: "compare-cards", cron: "41 3 * * *", run: checkCards },
  { name: "check-invariants", cron: "23 2 * * *", run: checkInvariants },
];

function noteCount(what: string, forgotten: number): void {
  if (forgotten > 0) log().info({ forgotten }, `old ${what} were forgotten`);
}

async function checkInvariants(): Promise<void> {
  const broken = await findBrokenInvariants(sql());
  if (broken.length > 0) log().fatal({ broken: broken.map(({ name, rows }) => ({ name, rows: rows.length })) }, "invariants are broken");
}

async function checkCards(ctx: SystemContext): Promise<void> {
  const { differences, ...counts } = await compareCards(ctx);
  log().info(counts, "cards were held against their issuers");
  if (differences.length > 0) log().fatal({ differences: differences.slice(0, 20) }, "cards differ from what their issuers say");
}

/** pg-boss notes a failure in its own table and says nothing. */
async function runLoudly({ name, run }: Job): Promise<void> {
  try {
    await run(systemContext(name));
  } catch (error) {
    log().error({ job: name, err: error }, "a scheduled job failed");
    throw error;
  }
}

/** `pg` takes `sslmode=require` for `verify-full` unless it is told to mean by it what PostgreSQL and our own client do. */
const inLibpqTerms = (url: string) => (url.includes("sslmode=") ? `${url}&uselibpqcompat=true` : url);

const SCHEMA = "jobs";
const START_AGAIN_AFTER_MS = 2_000;

/**
 * Runs the schedule on pg-boss, whose tables (schema `jobs`) hold no truth of ours: dropped while we run, they are made again and
 * nothing is lost.
 */
export class Schedules {
  #boss: PgBoss | undefined;
  #isStopping = false;
  #restart: NodeJS.Timeout | undefined;

  async start(): Promise<void> {
    const boss = new PgBoss({
      connectionString: inLibpqTerms(settings().DATABASE_URL),
      schema: SCHEMA,
      application_name: "oja-jobs",
      max: 2,
    });
    this.#boss = boss;
    boss.on("error", (error) => this.#startAgain(error));
    try {
      await boss.start();
      for (const job of jobs) {
        const { name, cron } = job;
        await boss.createQueue(name);
        await boss.schedule(name, cron);
        await boss.work(name, { pollingIntervalSeconds: 10 }, () => runLoudly(job));
      }
    } catch (error) {
      this.#startAgain(error);
    }
  }

  #startAgain(error: unknown): void {
    if (this.#isStopping || this.#restart) return;
    log().warn({ err: error }, "the job schedule stumbled and is started again");
    this.#restart = setTimeout(async () => {
      await this.#end();
      this.#restart = undefined;
      if (!this.#isStopping) await this.start();
    }, START_AGAIN_AFTER_MS);
  }

  async #end(): Promise<void> {
    const boss = this.#boss;
    this.#boss = undefined;
    await boss?.stop({ graceful: false }).catch((error) => log().debug({ err: error }, "the job schedule did not stop in peace"));
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    await this.#end();
  }
}
