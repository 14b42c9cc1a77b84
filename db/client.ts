import { AsyncLocalStorage } from "node:async_hooks";
import { drizzle, type PostgresJsDatabase } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { removeShared, shared } from "#lib/shared.ts";
import { SECOND_MS } from "#lib/time.ts";
import { endLostConnections } from "./lost-connections.ts";
import { open } from "./primary.ts";
import * as alerts from "./schema/alerts.ts";
import * as audit from "./schema/audit.ts";
import * as bulk from "./schema/bulk.ts";
import * as cards from "./schema/cards.ts";
import * as checkout from "./schema/checkout.ts";
import * as checks from "./schema/checks.ts";
import * as events from "./schema/events.ts";
import * as exports from "./schema/exports.ts";
import * as figures from "./schema/figures.ts";
import * as ledger from "./schema/ledger.ts";
import * as mails from "./schema/mails.ts";
import * as operators from "./schema/operators.ts";
import * as prices from "./schema/prices.ts";
import * as requests from "./schema/requests.ts";
import * as sandbox from "./schema/sandbox.ts";
import * as schedules from "./schema/schedules.ts";
import * as seals from "./schema/seals.ts";
import * as sessions from "./schema/sessions.ts";
import * as spend from "./schema/spend.ts";
import * as tenants from "./schema/tenants.ts";
import * as twoFactor from "./schema/two-factor.ts";
import * as users from "./schema/users.ts";
import * as vtu from "./schema/vtu.ts";
import * as webhooks from "./schema/webhooks.ts";

const schema = {
  ...{ ...tenants, ...users, ...twoFactor, ...sessions, ...exports, ...audit, ...requests, ...events, ...webhooks, ...alerts, ...mails },
  ...{
    ...ledger,
    ...seals,
    ...figures,
    ...prices,
    ...checkout,
    ...cards,
    ...spend,
    ...vtu,
    ...bulk,
    ...schedules,
    ...sandbox,
    ...operators,
    ...checks,
  },
};

export type Database = PostgresJsDatabase<typeof schema>;
/** A database transaction. */
export type Tx = Parameters<Parameters<Database["transaction"]>[0]>[0];
/** The postgres.js client, for hot paths: it prepares a tagged query once per connection, and Drizzle does not. */
export type Sql = postgres.Sql<{ bigint: bigint }>;

interface Connection {
  sql: Sql;
  db: Database;
}

/** Longest wait between two attempts to reconnect, in seconds. */
const MAX_BACKOFF_S = 1;
/** Longest time of a statement, in seconds. */
const STATEMENT_WITHIN_S = 30;
/** The limit of a statement that reads whole tables, such as a check of the books, in seconds. */
export const LONG_READ_WITHIN_S = 3_600;
/** If the server has not answered this long after its own limit, the statement is given up. Its outcome is unknown. */
const HEARD_OF_WITHIN_S = 5;

/**
 * Opens a pool. If the URL names several hosts, it connects to the primary. The server ends a statement after `withinS` seconds. 5 s later this
 * process gives it up and closes the connection, or sooner if the server reports that connection as lost. An idle one is closed after 60 s.
 */
export function connect(url: string, { max, withinS = STATEMENT_WITHIN_S }: { max: number; withinS?: number }): Connection {
  const options = {
    max,
    idle_timeout: 60,
    backoff: (attempts: number) => Math.min(MAX_BACKOFF_S, 2 ** attempts / 50),
    types: { bigint: postgres.BigInt },
    connection: {
      application_name: "oja",
      statement_timeout: withinS * SECOND_MS,
      idle_in_transaction_session_timeout: 30_000,
      TimeZone: "UTC",
      DateStyle: "ISO",
    },
    onnotice: () => {},
  };
  const sql = open(url, options, { answerWithinMs: (withinS + HEARD_OF_WITHIN_S) * SECOND_MS, ...endLostConnections(url) });
  return { sql, db: drizzle(sql, { schema, casing: "snake_case" }) };
}

const connection = (): Connection => shared("connection", () => connect(settings().DATABASE_URL, { max: settings().DATABASE_POOL_SIZE }));

const longReads = (): Set<Sql> => shared("long-reads", () => new Set());

export const db = (): Database => outsideTransactions().db;
export const sql = (): Sql => outsideTransactions().sql;

/** The transaction in which a call is made. */
const within = new AsyncLocalStorage<{ isOpen: boolean }>();

/**
 * Throws inside a transaction. A transaction already holds a connection; if all others wait for its locks, a second one of the pool never
 * becomes free.
 */
function outsideTransactions(): Connection {
  if (within.getStore()?.isOpen) throw new Error("a query of the pool within a transaction: use the transaction's own tx");
  return connection();
}

/**
 * Error codes that are not caused by a statement's data (PostgreSQL, appendix A): of connections, read-only transactions,
 * resources, operator intervention and the system, and a lock that was not granted in time.
 */
const ABOUT_THE_SERVER = /^(?:08|25|53|57|58|55P03)/;

/**
 * Returns whether a statement may have failed because of its data, so that nothing of it was executed and a statement with other data may
 * succeed. A code that does not come from the server comes from postgres.js or the network: the server may have executed the statement.
 */
export function isAboutData(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Problem) return true;
  if (!("code" in error)) return error.cause === undefined || isAboutData(error.cause);
  return error.name === "PostgresError" && !ABOUT_THE_SERVER.test(String(error.code));
}

/**
 * Returns the client of a transaction, or of the pool, for a hot path: its tagged queries are prepared once for a connection, and those of
 * Drizzle are parsed and planned each time.
 */
export const preparing = (tx: Tx | Database): Sql => (tx as unknown as { session: { client: Sql } }).session.client;

const callbacksOf = new WeakMap<Tx, (() => void)[]>();

/** Runs `run` in a transaction. Calls its `afterCommit` callbacks once the commit is durable, and never after a rollback. */
export async function transaction<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
  const callbacks: (() => void)[] = [];
  const own = { isOpen: true };
  const result = await db().transaction((tx) => {
    callbacksOf.set(tx, callbacks);
    return within
      .run(own, () => run(tx))
      .finally(() => {
        own.isOpen = false;
      });
  });
  for (const callback of callbacks) callback();
  return result;
}

/**
 * Calls `callback` after the commit of `tx`. A crash after the commit loses the callback, so it may only hasten work that a sweep does
 * anyway. Throws if `tx` was not begun by `transaction`.
 */
export function afterCommit(tx: Tx, callback: () => void): void {
  const callbacks = callbacksOf.get(tx);
  if (!callbacks) throw new Error("this transaction was not begun by transaction()");
  callbacks.push(callback);
}

/** Runs a read that may take up to an hour a statement, on a connection of its own. */
export async function readLong<T>(read: (client: Sql) => Promise<T>): Promise<T> {
  const { sql: own } = connect(settings().DATABASE_URL, { max: 1, withinS: LONG_READ_WITHIN_S });
  longReads().add(own);
  try {
    return await read(own);
  } finally {
    longReads().delete(own);
    await own.end({ timeout: 1 });
  }
}

/**
 * Discards this process's pool with all its connections, and those of long reads. Their statements are rejected, and their outcome is
 * unknown: the server may have executed them. The next query opens a new pool.
 */
export function replacePool(): void {
  const pool = removeShared<Connection>("connection");
  for (const client of [pool?.sql, ...longReads()]) void client?.end({ timeout: 0 });
}

/** Closes the pool of this process. Waits at most 5 s for its queries. */
export async function closeDatabase(): Promise<void> {
  const open = removeShared<Connection>("connection");
  await open?.sql.end({ timeout: 5 });
}
