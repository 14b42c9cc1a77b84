import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { settings } from "#lib/env.ts";
import * as audit from "./schema/audit.ts";
import * as cards from "./schema/cards.ts";
import * as checkout from "./schema/checkout.ts";
import * as events from "./schema/events.ts";
import * as ledger from "./schema/ledger.ts";
import * as prices from "./schema/prices.ts";
import * as requests from "./schema/requests.ts";
import * as sandbox from "./schema/sandbox.ts";
import * as spend from "./schema/spend.ts";
import * as tenants from "./schema/tenants.ts";
import * as vtu from "./schema/vtu.ts";
import * as webhooks from "./schema/webhooks.ts";

const schema = {
  ...{ ...tenants, ...audit, ...requests, ...events, ...webhooks },
  ...{ ...ledger, ...prices, ...checkout, ...cards, ...spend, ...vtu, ...sandbox },
};

export type Database = PostgresJsDatabase<typeof schema>;
/** A database transaction, always. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** postgres.js: its tagged queries are prepared once per connection, which Drizzle's are not. For the hot paths. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

interface Connection {
  sql: Sql;
  db: Database;
}

/** A database that is back is used again after this at the latest. */
const MAX_BACKOFF_S = 1;

/** Opens a pool. An idle connection is given back after 60 s; a statement that runs for 30 s is ended by the server. */
export function connect(url: string, { max }: { max: number }): Connection {
  const sql = postgres(url, {
    max,
    idle_timeout: 60,
    connect_timeout: 10,
    backoff: (tries: number) => Math.min(MAX_BACKOFF_S, 2 ** tries / 50),
    types: { bigint: postgres.BigInt },
    connection: { application_name: "oja", statement_timeout: 30_000, idle_in_transaction_session_timeout: 30_000, TimeZone: "UTC" },
    onnotice: () => {},
  });
  return { sql, db: drizzle(sql, { schema, casing: "snake_case" }) };
}

// One pool a process, however many bundles hold a copy of this module.
const shared = globalThis as typeof globalThis & { ojaConnection?: Connection };

function connection(): Connection {
  shared.ojaConnection ??= connect(settings().DATABASE_URL, { max: settings().DATABASE_POOL_SIZE });
  return shared.ojaConnection;
}

export const db = (): Database => connection().db;
export const sql = (): Sql => connection().sql;

/** Connection, resources, operators, locks (PostgreSQL, appendix A), and what postgres.js and the network say when there is no server. */
const ABOUT_THE_SERVER = /^(?:08|53|57|55P03|CONN|ECONN|ETIMEDOUT|EPIPE)/;

/** Whether a failed statement may have failed for what it was given: another one may then pass. */
export const isAboutData = (error: unknown): boolean =>
  !(error instanceof Error && "code" in error && typeof error.code === "string" && ABOUT_THE_SERVER.test(error.code));

const duties = new WeakMap<Tx, (() => void)[]>();

/** Runs `run` in a transaction; what it asked for by `afterCommit` is done once the commit is durable, and never otherwise. */
export async function transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  const afterwards: (() => void)[] = [];
  const result = await db().transaction((tx) => {
    duties.set(tx, afterwards);
    return run(tx);
  });
  for (const duty of afterwards) duty();
  return result;
}

/** Only in a transaction of `transaction`. A crash between commit and duty loses the duty: it may only hasten what would be done anyway. */
export function afterCommit(tx: Tx, duty: () => void): void {
  const afterwards = duties.get(tx);
  if (!afterwards) throw new Error("this transaction was not begun by transaction()");
  afterwards.push(duty);
}

export async function closeDatabase(): Promise<void> {
  const open = shared.ojaConnection;
  delete shared.ojaConnection;
  await open?.sql.end({ timeout: 5 });
}
