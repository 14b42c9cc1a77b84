import { setTimeout as wait } from "node:timers/promises";
import { CronExpressionParser } from "cron-parser";
import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import { type SystemContext, systemContext } from "#services/context.ts";

/** Works on a bounded number of due rows. Returns how many were done. */
export type Sweep = (ctx: SystemContext) => Promise<number>;

/** Work that runs at scheduled times. */
export interface Job {
  /** A cron expression in UTC, without seconds. */
  cron: string;
  /** May return how many rows were done. */
  run: (ctx: SystemContext) => Promise<unknown>;
}

const SWEEP_EVERY_MS = 2 * SECOND_MS;
const LOOK_EVERY_MS = 10 * SECOND_MS;
/** A lease is extended while its job runs. If its worker dies, another worker restarts the job after this time. */
const LEASE_MS = MINUTE_MS;
const EXTEND_EVERY_MS = LEASE_MS / 4;
/** A job that does not end loses its lease after this time, so that another worker starts it again. */
const MAX_RUN_MS = 6 * HOUR_MS;
/** A failed job runs again after this time multiplied by its attempts, or at its next scheduled time if that comes first. */
const RETRY_AFTER_MS = MINUTE_MS;
const DRAIN_MS = 8 * SECOND_MS;

/** A job that this worker runs, under its lease. */
interface Claimed {
  name: string;
  fencingToken: number;
  attempts: number;
  /** By the clock of the database. */
  claimedAt: string;
}

/**
 * Runs the worker's tasks by the names of their verbs. Each sweep runs in every worker every two seconds, because its rows are claimed one by one. Each
 * job runs in one worker at its scheduled times: its row of `schedules` holds the lease.
 */
export class Scheduler {
  readonly #stopping = new AbortController();
  readonly #jobs: Readonly<Record<string, Job>>;
  readonly #running = new Set<Promise<void>>();
  readonly #runningJobs = new Set<string>();

  constructor(sweeps: Readonly<Record<string, Sweep>>, jobs: Readonly<Record<string, Job>>) {
    this.#jobs = jobs;
    for (const [name, sweep] of Object.entries(sweeps)) this.#keep(this.#repeat(name, sweep, SWEEP_EVERY_MS));
    this.#keep(this.#repeat("runDueJobs", () => this.#runDueJobs(), LOOK_EVERY_MS));
  }

  /** Waits up to 8 s for running tasks. Another worker takes over the unfinished jobs when their leases end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([this.#drain(), wait(DRAIN_MS)]);
  }

  async #drain(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #keep(task: Promise<void>): void {
    const kept = task.catch((error) => log().error({ err: error }, "a task of the worker ended")).finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  async #repeat(name: string, sweep: Sweep, everyMs: number): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        const done = await sweep(systemContext(name));
        if (done > 0) log().info({ sweep: name, done }, "sweep");
      } catch (error) {
        log().error({ sweep: name, err: error }, "a sweep failed; it runs again soon");
      }
      await wait(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** Starts every due job without waiting for its end. Returns 0, because each job logs its own count. */
  async #runDueJobs(): Promise<number> {
    await this.#enter();
    while (!this.#stopping.signal.aborted) {
      const claimed = await this.#claim();
      if (!claimed) break;
      // Begun while the worker stops, the job would be broken off. Another worker begins it when the lease ends.
      if (!this.#stopping.signal.aborted) this.#keep(this.#run(claimed));
    }
    return 0;
  }

  /** Inserts the rows of new jobs, and moves those whose set times this version has changed. Mostly it only reads. */
  async #enter(): Promise<void> {
    const stored = await sql()<{ name: string; cron: string }[]>`select name, cron from schedules`;
    const cronOf = new Map(stored.map(({ name, cron }) => [name, cron]));
    const changed = Object.entries(this.#jobs).filter(([name, { cron }]) => cronOf.get(name) !== cron);
    if (changed.length === 0) return;
    const [row] = await sql()<{ now: string }[]>`select now()::text as now`;
    if (!row) throw new Error("select now() returned no row");
    const rows = changed.map(([name, { cron }]) => ({ name, cron, due_at: nextTime(cron, row.now) }));
    await sql()`
      insert into schedules ${sql()(rows)} on conflict (name) do update set cron = excluded.cron, due_at = excluded.due_at
      where schedules.cron <> excluded.cron`;
  }

  /**
   * Takes the lease of a due job. Leaves those that run here already, and those that this version does not know: they may belong to a newer version
   * that also runs. The job is due again later with each attempt, so that one that ends its process does not do so all the time.
   */
  async #claim(): Promise<Claimed | undefined> {
    const names = Object.keys(this.#jobs).filter((name) => !this.#runningJobs.has(name));
    const [claimed] = await sql()<Claimed[]>`
      update schedules set locked_until = now() + ${LEASE_MS} * interval '1 ms', fencing_token = fencing_token + 1, attempts = attempts + 1,
        due_at = now() + (attempts + 1) * ${RETRY_AFTER_MS} * interval '1 ms'
      where name = (
        select name from schedules
        where name = any(${names}) and due_at <= now() and (locked_until is null or locked_until <= now())
        order by due_at limit 1 for update skip locked
      )
      returning name, fencing_token as "fencingToken", attempts, now()::text as "claimedAt"`;
    return claimed;
  }

  async #run(claimed: Claimed): Promise<void> {
    const { name } = claimed;
    const job = this.#jobs[name];
    if (!job) throw new Error(`${name} is no job of this version`);
    const isDone = new AbortController();
    const extending = extend(claimed, isDone.signal);
    let hasFailed = false;
    this.#runningJobs.add(name);
    try {
      const done = await job.run(systemContext(name));
      if (typeof done === "number" && done > 0) log().info({ job: name, done }, "job");
    } catch (error) {
      hasFailed = true;
      log().error({ job: name, err: error }, "a job failed; it runs again in some minutes");
    } finally {
      isDone.abort();
      await extending;
      this.#runningJobs.delete(name);
    }
    await end(claimed, nextTime(job.cron, claimed.claimedAt), hasFailed).catch((error) =>
      log().warn({ job: name, err: error }, "the end of a job was not stored; it runs again when its lease ends"),
    );
  }
}

/** Returns the first scheduled time after a time. */
const nextTime = (cron: string, after: string): string =>
  CronExpressionParser.parse(cron, { currentDate: new Date(after), tz: "UTC" })
    .next()
    .toDate()
    .toISOString();

/** Extends a lease until the job is done, for at most `MAX_RUN_MS`. A superseded worker changes nothing. */
async function extend({ name, fencingToken }: Claimed, isDone: AbortSignal): Promise<void> {
  for (let ranMs = 0; ranMs < MAX_RUN_MS; ranMs += EXTEND_EVERY_MS) {
    await wait(EXTEND_EVERY_MS, undefined, { signal: isDone }).catch(() => undefined);
    if (isDone.aborted) return;
    await sql()`
      update schedules set locked_until = now() + ${LEASE_MS} * interval '1 ms' where name = ${name} and fencing_token = ${fencingToken}`.catch(
      (error) => log().warn({ job: name, err: error }, "a job's lease was not extended"),
    );
  }
}

/** Releases a lease and stores the job's next time. A superseded worker changes nothing: another worker has the lease. */
async function end({ name, fencingToken, attempts }: Claimed, next: string, hasFailed: boolean): Promise<void> {
  const dueAt = hasFailed
    ? sql()`least(${next}::timestamptz, now() + ${attempts * RETRY_AFTER_MS} * interval '1 ms')`
    : sql()`${next}::timestamptz`;
  await sql()`
    update schedules set due_at = ${dueAt}, locked_until = null, attempts = ${hasFailed ? attempts : 0}
    where name = ${name} and fencing_token = ${fencingToken}`;
}
