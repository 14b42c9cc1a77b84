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

/** The time at which a lease ends, by the clock of the database and as its text. */
type LeaseEnd = string;

/** A job that this worker runs, under its lease. */
interface Claimed {
  name: string;
  lease: LeaseEnd;
  attempts: number;
  /** The time of the claim by the clock of the database. */
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

  constructor(sweeps: Readonly<Record<string, Sweep>>, jobs: Readonly<Record<string, Job>>) {
    this.#jobs = jobs;
    for (const [name, sweep] of Object.entries(sweeps)) this.#keep(this.#repeat(name, sweep, SWEEP_EVERY_MS));
    this.#keep(this.#repeat("runDueJobs", () => this.#runDueJobs(), LOOK_EVERY_MS));
  }

  /** Waits up to 8 s for running tasks. Another worker takes over the unfinished jobs when their leases end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.race([Promise.all(this.#running), wait(DRAIN_MS)]);
  }

  #keep(task: Promise<void>): void {
    this.#running.add(task);
    void task.catch((error) => log().error({ err: error }, "a task of the worker ended")).finally(() => this.#running.delete(task));
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
      this.#keep(this.#run(claimed));
    }
    return 0;
  }

  /** Inserts the rows of new jobs. If a new version has an earlier time for a job, moves its row to that time. Mostly it only reads. */
  async #enter(): Promise<void> {
    const stored = await sql()<{ name: string; due: string }[]>`select name, due_at::text as due from schedules`;
    const [row] = await sql()<{ now: string }[]>`select now()::text as now`;
    if (!row) throw new Error("select now() returned no row");
    const dueOf = new Map(stored.map(({ name, due }) => [name, new Date(due).getTime()]));
    const rows = Object.entries(this.#jobs)
      .map(([name, { cron }]) => ({ name, due_at: nextTime(cron, row.now) }))
      .filter(({ name, due_at }) => (dueOf.get(name) ?? Number.POSITIVE_INFINITY) > new Date(due_at).getTime());
    if (rows.length === 0) return;
    await sql()`
      insert into schedules ${sql()(rows)} on conflict (name) do update set due_at = excluded.due_at where schedules.due_at > excluded.due_at`;
  }

  /** Takes the lease of a due job. Leaves jobs that this version does not know: they may belong to a newer version that also runs. */
  async #claim(): Promise<Claimed | undefined> {
    const [claimed] = await sql()<Claimed[]>`
      update schedules set locked_until = now() + ${LEASE_MS} * interval '1 ms', attempts = attempts + 1
      where name = (
        select name from schedules
        where name = any(${Object.keys(this.#jobs)}) and due_at <= now() and (locked_until is null or locked_until <= now())
        order by due_at limit 1 for update skip locked
      )
      returning name, locked_until::text as lease, attempts, now()::text as "claimedAt"`;
    return claimed;
  }

  async #run(claimed: Claimed): Promise<void> {
    const { name } = claimed;
    const job = this.#jobs[name];
    if (!job) throw new Error(`${name} is no job of this version`);
    const isDone = new AbortController();
    const extending = extend(claimed, isDone.signal);
    let hasFailed = false;
    try {
      const done = await job.run(systemContext(name));
      if (typeof done === "number" && done > 0) log().info({ job: name, done }, "job");
    } catch (error) {
      hasFailed = true;
      log().error({ job: name, err: error }, "a job failed; it runs again in some minutes");
    } finally {
      isDone.abort();
    }
    await end({ ...claimed, lease: await extending }, nextTime(job.cron, claimed.claimedAt), hasFailed).catch((error) =>
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

/** Extends a lease until the job is done, for at most `MAX_RUN_MS`. Returns the last end of the lease. A superseded worker changes nothing. */
async function extend({ name, lease }: Claimed, isDone: AbortSignal): Promise<LeaseEnd> {
  let own = lease;
  for (let ranMs = 0; ranMs < MAX_RUN_MS && !isDone.aborted; ranMs += EXTEND_EVERY_MS) {
    await wait(EXTEND_EVERY_MS, undefined, { signal: isDone }).catch(() => undefined);
    if (isDone.aborted) break;
    const extended = await sql()<{ lease: LeaseEnd }[]>`
      update schedules set locked_until = now() + ${LEASE_MS} * interval '1 ms' where name = ${name} and locked_until = ${own}::timestamptz
      returning locked_until::text as lease`.catch((error) => {
      log().warn({ job: name, err: error }, "a job's lease was not extended");
      return [];
    });
    own = extended[0]?.lease ?? own;
  }
  return own;
}

/** Releases a lease and stores the job's next time. A superseded worker changes nothing: another worker has the lease. */
async function end({ name, lease, attempts }: Claimed, next: string, hasFailed: boolean): Promise<void> {
  const dueAt = hasFailed
    ? sql()`least(${next}::timestamptz, now() + ${attempts * RETRY_AFTER_MS} * interval '1 ms')`
    : sql()`${next}::timestamptz`;
  await sql()`
    update schedules set due_at = ${dueAt}, locked_until = null, attempts = ${hasFailed ? attempts : 0}
    where name = ${name} and locked_until = ${lease}::timestamptz`;
}
