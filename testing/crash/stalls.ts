import { setTimeout as wait } from "node:timers/promises";
import type { Sql } from "#db/client.ts";
import type { Point } from "./failpoints.ts";
import { pauseAll } from "./processes.ts";
import type { Random } from "./random.ts";
import type { Stage } from "./stage.ts";

/** Just past the product's limits: an order is sent within 5 s and a card operation within 10 s, or never. */
const JUST_PAST_LIMIT_MS = [5_500, 10_500, 12_000];
/** Past the 25 s after which a purchase that its aggregator does not know counts as lost. */
const LONG_MS = 30_000;
/** Past the 35 s after which a card operation that its issuer does not know counts as lost. */
const LONGEST_MS = 70_000;
/** If no message passes in this time, the stall does not count. */
const REACHED_WITHIN_MS = 20_000;

/** Tables whose rows decide about money. */
const TABLES = [
  "card_operations",
  "cards",
  "card_transactions",
  "purchases",
  "payment_links",
  "bank_transfers",
  "bank_sessions",
  "ledger_accounts",
  "ledger_transfers",
  "idempotency_keys",
] as const;

export interface Stall {
  name: string;
  /** Runs the stall. Returns false if nothing was stalled. */
  run: () => Promise<boolean>;
}

/** Returns the length of the n-th stall. Of a hundred, three last 70 s and ten 30 s; the others are just past a limit. */
function durationOf(n: number, random: Random): number {
  if (n % 33 === 32) return LONGEST_MS;
  return n % 10 === 9 ? LONG_MS : random.pick(JUST_PAST_LIMIT_MS);
}

/** Returns the n-th stall of a campaign, derived from its seed. */
export function stallOf(stage: Stage, n: number, random: Random, points: Point[]): Stall {
  const ms = durationOf(n, random);
  const calls = points.filter(({ kind }) => kind === "call");
  const commits = points.filter(({ kind }) => kind === "commit");
  const kinds = [
    () => tableLocked(stage.world.sql, random.pick(TABLES), ms),
    () => rowsLocked(stage.world.sql, random.pick(TABLES), ms),
    () => backendsPaused(stage.world.sql, ms),
    () => processPaused(stage, ms, random),
    () => messageDelayed(stage, random.pick(commits), "before", ms),
    () => messageDelayed(stage, random.pick(calls), "before", ms),
    () => messageDelayed(stage, random.pick(calls), "after", ms),
  ];
  const kind = kinds[n % kinds.length];
  if (!kind) throw new RangeError("no kind of stall");
  return kind();
}

const seconds = (ms: number) => `${ms / 1000} s`;

/** Keeps the locks of `statement` for `ms`, in a session that PostgreSQL does not end for being idle. */
async function keepLocks(sql: Sql, statement: string, ms: number): Promise<boolean> {
  const session = await sql.reserve();
  try {
    await session.unsafe("begin; set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0");
    await session.unsafe(statement);
    await session.unsafe(`select pg_sleep(${ms / 1000})`);
    await session.unsafe("commit");
    return true;
  } finally {
    session.release();
  }
}

const tableLocked = (sql: Sql, table: string, ms: number): Stall => ({
  name: `lock on table ${table}`,
  run: () => keepLocks(sql, `lock table ${table} in exclusive mode`, ms),
});

/** Locks the latest rows, which are the most likely to change next. */
const rowsLocked = (sql: Sql, table: string, ms: number): Stall => ({
  name: `locks on rows of ${table}`,
  run: () =>
    keepLocks(
      sql,
      `select 1 from (select ctid as place from ${table} order by ctid desc limit 5) latest join ${table} t on t.ctid = latest.place for update of t`,
      ms,
    ),
});

const backendsPaused = (sql: Sql, ms: number): Stall => ({
  name: `backends of PostgreSQL paused (${seconds(ms)})`,
  async run() {
    const busy = await sql<{ pid: number }[]>`
      select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      order by state = 'idle', random() limit 2`;
    await pauseAll(
      busy.map(({ pid }) => pid),
      ms,
    );
    return busy.length > 0;
  },
});

function processPaused(stage: Stage, ms: number, random: Random): Stall {
  const paused = random.pick(stage.processes);
  return {
    name: `process ${paused.name} paused (${seconds(ms)})`,
    async run() {
      await paused.pause(ms);
      return true;
    },
  };
}

const messageDelayed = (stage: Stage, point: Point, when: "before" | "after", ms: number): Stall => ({
  name: `${point.role} ${point.kind} ${point.label} delayed ${when}`,
  async run() {
    const armed = stage.failpoints.armDelay(point, when, ms).then(() => true);
    const reached = await Promise.race([armed, wait(REACHED_WITHIN_MS, false, { ref: false })]);
    if (reached) await wait(ms);
    else stage.failpoints.disarmDelay();
    return reached;
  },
});
