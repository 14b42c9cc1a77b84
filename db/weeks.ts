import type postgres from "postgres";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Sql } from "./client.ts";

/** How long logs are kept. No read may return an older row: a partition is dropped as a whole, when its newest row is that old. */
export const LOGS_KEPT_MS = 30 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/** Partitions are made this long before their week, so that no row is lost even if no worker runs for two weeks. */
const MADE_AHEAD_MS = 2 * WEEK_MS;
/** Key of the advisory lock: any constant that is the same in every process. */
const WEEKS_LOCK = 7_302_992;

/** A table that is split by time. */
interface Log {
  table: string;
  /** Returns the smallest key that a row of this time can have. */
  leastAt: (at: Date) => string;
}

const LOGS: readonly Log[] = [
  { table: "request_log", leastAt: (at) => leastIdAt("request", at.getTime()) },
  { table: "webhook_attempts", leastAt: (at) => at.toISOString() },
];

/** A partition. Its name ends with the first day after its rows, as `request_log_until_20261130`. It begins where the previous one ends. */
interface Week {
  name: string;
  until: Date;
}

type Tx = postgres.TransactionSql<{ bigint: bigint }>;

/**
 * Makes the partitions of the next two weeks, of each log in a transaction of its own. No reader or writer waits for it. `at` is the database's time.
 */
export async function makeWeeks(client: Sql, at?: Date): Promise<void> {
  const now = at ?? (await timeOf(client));
  for (const log of LOGS) {
    await client.begin(async (tx) => {
      await lockWeeks(tx);
      await makeWeeksOf(tx, log, now);
    });
  }
}

interface Dropped {
  /** The names of the dropped partitions. */
  dropped: string[];
  /** The names of old partitions that a long read or a backup had locked. The other partitions of such a log were not tried. */
  busy: string[];
}

/**
 * Drops the partitions whose rows are all older than `LOGS_KEPT_MS`, each in a transaction of its own. Leaves one that is in use: the next call finds
 * it again. `at` is the database's time.
 */
export async function dropOldWeeks(client: Sql, at?: Date): Promise<Dropped> {
  const oldest = (at ?? (await timeOf(client))).getTime() - LOGS_KEPT_MS;
  const result: Dropped = { dropped: [], busy: [] };
  for (const log of LOGS) {
    const old = (await weeksOf(client, log)).filter(({ until }) => until.getTime() <= oldest);
    for (const { name } of old) {
      const isGone = await wasDropped(client, name);
      result[isGone ? "dropped" : "busy"].push(name);
      // A reader usually locks the whole log, so the other partitions would be locked too.
      if (!isGone) break;
    }
  }
  return result;
}

/**
 * Readers and writers of the whole log queue behind this lock while it waits. So it waits for less than PostgreSQL's deadlock timeout (1 s), and a
 * backup that locks the tables in another order is not ended as a deadlock.
 */
const LOCK_WITHIN = "500ms";
const LOCK_NOT_AVAILABLE = "55P03";

async function wasDropped(client: Sql, name: string): Promise<boolean> {
  try {
    await client.begin(async (tx) => {
      await lockWeeks(tx);
      await tx`select set_config('lock_timeout', ${LOCK_WITHIN}, true)`;
      // `if exists`, because another process may have dropped it.
      await tx`drop table if exists ${tx(name)}`;
    });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

/** Takes the lock with which one process at a time makes or drops a week. */
const lockWeeks = (tx: Tx) => tx`select pg_advisory_xact_lock(${WEEKS_LOCK})`;

async function timeOf(client: Sql): Promise<Date> {
  const [row] = await client<{ ms: number }[]>`select extract(epoch from now())::float8 * 1000 as ms`;
  return new Date(row?.ms ?? Number.NaN);
}

/** Returns the partitions of a log, oldest first. */
async function weeksOf(query: Sql | Tx, log: Log): Promise<Week[]> {
  const rows = await query<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${log.table}::regclass order by 1`;
  return rows.map(({ name }) => ({ name, until: dayOf(name) }));
}

/** Adds partitions to a log until they reach two weeks beyond `now`. The first partition of a log has all rows before the next Monday. */
async function makeWeeksOf(tx: Tx, log: Log, now: Date): Promise<void> {
  let from = (await weeksOf(tx, log)).at(-1)?.until;
  while (!from || from.getTime() < now.getTime() + MADE_AHEAD_MS) {
    const until: Date = from ? new Date(from.getTime() + WEEK_MS) : mondayAfter(now);
    await makeWeek(tx, log, from, until);
    from = until;
  }
}

/** Creates the table first and attaches it then, because that takes no lock that blocks writers. */
async function makeWeek(tx: Tx, { table, leastAt }: Log, from: Date | undefined, until: Date): Promise<void> {
  const name = `${table}_until_${until.toISOString().slice(0, 10).replaceAll("-", "")}`;
  const first = from ? `'${leastAt(from)}'` : "minvalue";
  await tx`create table ${tx(name)} (like ${tx(table)} including all)`;
  await tx.unsafe(`alter table ${table} attach partition ${name} for values from (${first}) to ('${leastAt(until)}')`);
}

const dayOf = (name: string): Date => new Date(name.slice(-8).replace(/(\d{4})(\d{2})(\d{2})/, "$1-$2-$3"));

/** Returns the next beginning of a Monday in UTC. The first day of Unix time was a Thursday. */
const mondayAfter = (at: Date): Date => new Date((Math.floor((at.getTime() - 4 * DAY_MS) / WEEK_MS) + 1) * WEEK_MS + 4 * DAY_MS);
