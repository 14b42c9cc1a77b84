import type postgres from "postgres";
import { leastIdAt } from "#lib/ids.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Sql } from "./client.ts";

/** How long logs are kept. No read may return an older row: a partition is dropped as a whole, when its newest row is that old. */
export const LOGS_KEPT_MS = 30 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;
/** Partitions are made so long before their week: a worker that is away for two weeks loses no row. */
const MADE_AHEAD_MS = 2 * WEEK_MS;
/** Key of the advisory lock: any constant that is the same in every process. */
const WEEKS_LOCK = 7_302_992;

/** The tables that are split by time, with the least key of a time. */
const LOGS: Readonly<Record<string, (at: Date) => string>> = {
  request_log: (at) => leastIdAt("request", at.getTime()),
  webhook_attempts: (at) => at.toISOString(),
};

/** A partition. Its name ends with the day before which its rows are, as `request_log_until_20261130`. The oldest has all rows before its day. */
interface Week {
  name: string;
  until: Date;
}

type Tx = postgres.TransactionSql<{ bigint: bigint }>;

/**
 * Makes the partitions of the next two weeks, and drops those whose rows are all older than `LOGS_KEPT_MS`. Returns the names of those that it
 * dropped. `at` is the database's time. Throws where a long read of a log keeps its lock for two seconds; the next call does the rest.
 */
export async function keepWeeks(client: Sql, at?: Date): Promise<string[]> {
  const now = at ?? (await timeOf(client));
  const dropped: string[] = [];
  for (const log of Object.keys(LOGS)) dropped.push(...(await client.begin((tx) => keepWeeksOf(tx, log, now))));
  return dropped;
}

async function timeOf(client: Sql): Promise<Date> {
  const [row] = await client<{ ms: number }[]>`select extract(epoch from now())::float8 * 1000 as ms`;
  return new Date(row?.ms ?? Number.NaN);
}

async function keepWeeksOf(tx: Tx, log: string, now: Date): Promise<string[]> {
  await tx`select pg_advisory_xact_lock(${WEEKS_LOCK})`;
  // Writers and readers queue behind a lock that waits. It is long enough for PostgreSQL to end a vacuum that is in the way.
  await tx`set local lock_timeout = '2s'`;
  await makeWeeks(tx, log, (await weeksOf(tx, log)).at(-1)?.until ?? now, now);
  const old = (await weeksOf(tx, log)).filter(({ until }) => until.getTime() <= now.getTime() - LOGS_KEPT_MS);
  for (const { name } of old) await tx`drop table ${tx(name)}`;
  return old.map(({ name }) => name);
}

/** Returns the partitions of a log, oldest first. */
async function weeksOf(tx: Tx, log: string): Promise<Week[]> {
  const rows = await tx<{ name: string }[]>`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = ${log}::regclass order by 1`;
  return rows.map(({ name }) => ({ name, until: dayOf(name) }));
}

/** Makes the partitions from a time until the weeks that will be needed soon. */
async function makeWeeks(tx: Tx, log: string, from: Date, now: Date): Promise<void> {
  const until = new Date(from.getTime() + WEEK_MS);
  if (from.getTime() >= now.getTime() + MADE_AHEAD_MS) return;
  await makeWeek(tx, log, from, until);
  await makeWeeks(tx, log, until, now);
}

/** A table that is made alone and then attached takes no lock that writers wait for. */
async function makeWeek(tx: Tx, log: string, from: Date, until: Date): Promise<void> {
  const name = `${log}_until_${until.toISOString().slice(0, 10).replaceAll("-", "")}`;
  const least = LOGS[log];
  await tx`create table ${tx(name)} (like ${tx(log)} including all)`;
  await tx.unsafe(`alter table ${log} attach partition ${name} for values from ('${least?.(from)}') to ('${least?.(until)}')`);
}

const dayOf = (name: string): Date => new Date(name.slice(-8).replace(/(\d{4})(\d{2})(\d{2})/, "$1-$2-$3"));
