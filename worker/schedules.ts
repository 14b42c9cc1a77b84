import { setTimeout as wait } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { findPrimary, hostsOf, withHost } from "#db/primary.ts";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { alertOnEndingKeys } from "#services/api-keys/index.ts";
import { logAuditHeads } from "#services/audit/index.ts";
import { purgeOldDrafts } from "#services/bulk/index.ts";
import { alertOnUndecidedOperations, alertOnWaitingSpend, releaseExpiredAuthorizations } from "#services/cards/index.ts";
import { type SystemContext, systemContext } from "#services/context.ts";
import { alertOnEndingRates } from "#services/exchange/index.ts";
import { purgeOldKeys } from "#services/idempotency/index.ts";
import { purgeOldMails } from "#services/mails/index.ts";
import { noteDaysForMails, purgeOldMailItems } from "#services/member-mails/index.ts";
import { purgeUnusedLogos } from "#services/merchants/index.ts";
import { logWalletHeads } from "#services/seals/index.ts";
import { purgeOldSessions } from "#services/sessions/index.ts";
import { purgeOldDevices, purgeOldTries, purgeUnverifiedUsers } from "#services/users/index.ts";
import { alertOnUndecidedPurchases } from "#services/vtu/index.ts";
import { alertOnFailingEndpoints } from "#services/webhooks/index.ts";
import { checkCards, checkInvariants } from "./check-books.ts";
import { keepWeeksOfLogs } from "./keep-weeks.ts";

interface Job {
  name: string;
  /** Times are in UTC. */
  cron: string;
  run: (ctx: SystemContext) => Promise<void>;
}

/** Jobs that run at set times. pg-boss runs each once, however many workers there are. */
const jobs: Job[] = [
  { name: "forget-idempotency-keys", cron: "7 * * * *", run: async (ctx) => noteCount("idempotency keys", await purgeOldKeys(ctx)) },
  { name: "keep-weeks-of-logs", cron: "17 * * * *", run: keepWeeksOfLogs },
  { name: "forget-mails", cron: "47 * * * *", run: async (ctx) => noteCount("mails", await purgeOldMails(ctx)) },
  { name: "forget-mail-items", cron: "52 * * * *", run: async (ctx) => noteCount("causes of mails", await purgeOldMailItems(ctx)) },
  { name: "forget-sign-in-tries", cron: "57 * * * *", run: async (ctx) => noteCount("sign-in tries", await purgeOldTries(ctx)) },
  { name: "forget-sessions", cron: "12 * * * *", run: async (ctx) => noteCount("sessions", await purgeOldSessions(ctx)) },
  { name: "forget-devices", cron: "22 * * * *", run: async (ctx) => noteCount("known devices", await purgeOldDevices(ctx)) },
  {
    name: "forget-unverified-users",
    cron: "32 * * * *",
    run: async (ctx) => noteCount("unverified users", await purgeUnverifiedUsers(ctx)),
  },
  { name: "forget-logos", cron: "33 4 * * *", run: async (ctx) => noteCount("logos", await purgeUnusedLogos(ctx)) },
  { name: "forget-bulk-drafts", cron: "42 * * * *", run: async (ctx) => noteCount("files of top-ups", await purgeOldDrafts(ctx)) },
  { name: "alert-on-failing-endpoints", cron: "*/5 * * * *", run: async (ctx) => void (await alertOnFailingEndpoints(ctx)) },
  { name: "alert-on-ending-keys", cron: "3 * * * *", run: async (ctx) => void (await alertOnEndingKeys(ctx)) },
  { name: "alert-on-ending-rates", cron: "13 * * * *", run: async (ctx) => void (await alertOnEndingRates(ctx)) },
  { name: "note-days-for-mails", cron: "*/10 * * * *", run: async (ctx) => void (await noteDaysForMails(ctx)) },
  { name: "alarm-on-waiting-spend", cron: "*/10 * * * *", run: async (ctx) => void (await alertOnWaitingSpend(ctx)) },
  { name: "alarm-on-undecided-operations", cron: "37 * * * *", run: async (ctx) => void (await alertOnUndecidedOperations(ctx)) },
  { name: "alert-on-undecided-purchases", cron: "*/10 * * * *", run: async (ctx) => void (await alertOnUndecidedPurchases(ctx)) },
  { name: "release-expired-authorizations", cron: "29 * * * *", run: async (ctx) => void (await releaseExpiredAuthorizations(ctx, 1_000)) },
  { name: "compare-cards", cron: "41 3 * * *", run: checkCards },
  { name: "log-audit-heads", cron: "53 1 * * *", run: async (ctx) => void (await logAuditHeads(ctx)) },
  { name: "log-wallet-heads", cron: "58 1 * * *", run: async (ctx) => void (await logWalletHeads(ctx)) },
  { name: "check-invariants", cron: "23 2 * * *", run: checkInvariants },
];

function noteCount(things: string, forgotten: number): void {
  if (forgotten > 0) log().info({ forgotten }, `old ${things} were forgotten`);
}

/** Runs a job and logs its failure, because pg-boss notes a failure in its own table alone. */
async function runAndLog({ name, run }: Job): Promise<void> {
  try {
    await run(systemContext(name));
  } catch (error) {
    log().error({ job: name, err: error }, "a scheduled job failed");
    throw error;
  }
}

/** `pg` treats `sslmode=require` as `verify-full`. This parameter makes it treat the mode as PostgreSQL and our own client do. */
const withLibpqModes = (url: string) => (url.includes("sslmode=") ? `${url}&uselibpqcompat=true` : url);

/** Returns the URL of the host that is the primary now: pg-boss takes one host. After an error, the schedule starts again and asks anew. */
async function urlOfPrimary(url: string): Promise<string> {
  return hostsOf(url).length < 2 ? url : withHost(url, await findPrimary(url));
}

/** Jobs of earlier versions. A name that this version does not know may be of the next one, whose worker runs beside this one. */
const ENDED_JOBS = ["forget-delivery-attempts", "forget-requests"];

const SCHEMA = "jobs";
const RESTART_AFTER_MS = 2_000;
const CONNECT_WITHIN_MS = 3_000;
/** Longer than any statement of pg-boss takes. */
const ANSWER_WITHIN_MS = 10_000;
const STOP_WITHIN_MS = 2_000;

/**
 * Runs the jobs on pg-boss. Its tables (schema `jobs`) store no facts of ours: when they are dropped at run time, they are created again
 * and nothing is lost.
 */
export class Schedules {
  #boss: PgBoss | undefined;
  #isStopping = false;
  #restartTimer: NodeJS.Timeout | undefined;

  async start(): Promise<void> {
    try {
      const boss = new PgBoss({
        connectionString: withLibpqModes(await urlOfPrimary(settings().DATABASE_URL)),
        schema: SCHEMA,
        application_name: "oja-jobs",
        max: 2,
        connectionTimeoutMillis: CONNECT_WITHIN_MS,
        ...{ query_timeout: ANSWER_WITHIN_MS },
      });
      this.#boss = boss;
      boss.on("error", (error) => this.#restartSoon(error));
      await boss.start();
      for (const name of ENDED_JOBS) await boss.unschedule(name);
      for (const job of jobs) {
        const { name, cron } = job;
        await boss.createQueue(name);
        await boss.schedule(name, cron);
        await boss.work(name, { pollingIntervalSeconds: 10 }, () => runAndLog(job));
      }
    } catch (error) {
      this.#restartSoon(error);
    }
  }

  #restartSoon(error: unknown): void {
    if (this.#isStopping || this.#restartTimer) return;
    log().warn({ err: error }, "the job schedule stumbled and is started again");
    this.#restartTimer = setTimeout(async () => {
      await this.#end();
      this.#restartTimer = undefined;
      if (!this.#isStopping) await this.start();
    }, RESTART_AFTER_MS);
  }

  async #end(): Promise<void> {
    const boss = this.#boss;
    this.#boss = undefined;
    const stopped = boss?.stop({ graceful: false }).catch((error) => log().debug({ err: error }, "the job schedule did not stop in peace"));
    // A database that is silent does not answer the goodbye either.
    await Promise.race([stopped, wait(STOP_WITHIN_MS)]);
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restartTimer);
    await this.#end();
  }
}
