import { randomBytes } from "node:crypto";
import postgres, { type TransactionSql } from "postgres";
import { afterAll, beforeAll, expect, inject } from "vitest";
import { closeDatabase, connect, type Sql, sql } from "#db/client.ts";
import { type BrokenInvariant, brokenInvariantsIn } from "#db/invariants.ts";
import { urlOfDatabase } from "../server/postgres-databases.ts";
import { brokenInvariantsOf } from "./broken-invariants.ts";

/** Key of the advisory lock: any number that is the same in every test process. */
const CLONE_LOCK = 4_402_117;

/** Gives this test file a database of its own, cloned from the migrated template, or empty and then prepared. Adds `env` to its settings. */
export function withDatabase(prepare?: (empty: Sql) => Promise<void>, env: Record<string, string> = {}): void {
  let url = "";
  beforeAll(async () => {
    Object.assign(process.env, env);
    url = await createDatabase(prepare ? "template0" : inject("template"));
    process.env.DATABASE_URL = url;
    if (!prepare) return;
    const { sql: empty } = connect(url, { max: 1 });
    await prepare(empty);
    await empty.end();
  });
  afterAll(async () => {
    await closeDatabase();
    if (url) await dropDatabase(url);
  });
}

/** Creates a database. Returns its URL. */
async function createDatabase(template: string): Promise<string> {
  const name = inject("template").replace("template", "test").concat("_", randomBytes(4).toString("hex"));
  const client = postgres(inject("maintenanceUrl"), { max: 1, onnotice: () => {} });
  try {
    // PostgreSQL lets only one session at a time copy a template.
    await client`select pg_advisory_lock(${CLONE_LOCK})`;
    const owner = new URL(inject("serviceUrl")).username;
    await client`create database ${client(name)} template ${client(template)} owner ${client(owner)}`;
  } finally {
    await client.end();
  }
  return urlOfDatabase(inject("serviceUrl"), name);
}

/** Drops this file's database. Otherwise autovacuum would visit the databases of all earlier test files. */
async function dropDatabase(url: string): Promise<void> {
  const client = postgres(inject("maintenanceUrl"), { max: 1, onnotice: () => {} });
  try {
    await client`drop database ${client(new URL(url).pathname.slice(1))} with (force)`;
  } finally {
    await client.end();
  }
}

/** Returns the broken invariants of this file's database, without the postings that the test itself has made. */
export const brokenInvariants = (): Promise<BrokenInvariant[]> => brokenInvariantsOf(sql());

/**
 * Returns the names of the invariants that a statement breaks. It runs without the triggers, which would refuse such changes, and is rolled back.
 */
export async function brokenAfter(statement: string, parameters: string[] = []): Promise<string[]> {
  const { sql: intruder } = connect(process.env.DATABASE_URL ?? "", { max: 1 });
  const rolledBack = intruder.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    const before = new Set((await brokenInvariantsIn(tx)).flatMap(rowsOf));
    await tx.unsafe(statement, parameters);
    const broken = (await brokenInvariantsIn(tx)).filter((each) => rowsOf(each).some((row) => !before.has(row)));
    throw Object.assign(new Error("roll back"), { names: broken.map(({ name }) => name) });
  });
  const outcome = await rolledBack.catch((error: Error & { names?: string[] }) => error);
  await intruder.end();
  if (!outcome.names) throw new Error(`the statement failed: ${outcome.message}: ${statement}`);
  return outcome.names;
}

/** Returns the rules broken by the statement only. Postings of the tests have no cause, so some rules are broken before it. */
const rowsOf = ({ name, rows }: BrokenInvariant): string[] =>
  rows.map((row) => `${name} ${JSON.stringify(row, (_, value) => (typeof value === "bigint" ? String(value) : value))}`);

/** Commits a change that triggers would refuse, such as the passage of time or a fault of the database. */
export async function withoutTriggers(change: (tx: TransactionSql<{ bigint: bigint }>) => Promise<unknown>): Promise<void> {
  const { sql: intruder } = connect(process.env.DATABASE_URL ?? "", { max: 1 });
  await intruder.begin(async (tx) => {
    await tx`set local session_replication_role = replica`;
    await change(tx);
  });
  await intruder.end();
}

/** Expects that no invariant of db/invariants.sql and db/causes.sql is broken in this file's database. */
export async function expectInvariantsToHold(): Promise<void> {
  expect(await brokenInvariants()).toEqual([]);
}
