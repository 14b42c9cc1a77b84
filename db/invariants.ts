import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TransactionSql } from "postgres";
import type { Sql } from "./client.ts";

export interface BrokenInvariant {
  name: string;
  rows: Record<string, unknown>[];
}

/** The rows to check. Without a merchant: all merchants. Without a time: all times. */
export interface Scope {
  merchantId?: string | undefined;
  /** Limits the rows that the rules of db/causes.sql start from. Those of db/invariants.sql compare whole sums, so they have no limit. */
  since?: Date | undefined;
  until?: Date | undefined;
}

const FILES = ["invariants.sql", "causes.sql"];
const QUERY = /-- name: (.+)\n([\s\S]+?;)\n/g;
const SPAN = /\bspan\(([\w.]+)\)/g;

/**
 * Runs db/invariants.sql and db/causes.sql in one snapshot, for all merchants or for one. Returns the broken invariants with their rows; none for a
 * sound database.
 */
export async function findBrokenInvariants(sql: Sql, scope: Scope = {}): Promise<BrokenInvariant[]> {
  if (scope.merchantId === undefined) return sql.begin("isolation level repeatable read read only", (tx) => brokenInvariantsIn(tx, scope));
  // Not read-only, because temporary views cannot be created in a read-only transaction.
  return sql.begin("isolation level repeatable read", (tx) => brokenInvariantsIn(tx, scope));
}

/** Returns the invariants that are broken from the view of a transaction, uncommitted changes included. */
export async function brokenInvariantsIn(tx: TransactionSql<{ bigint: bigint }>, scope: Scope = {}): Promise<BrokenInvariant[]> {
  // A large ledger takes longer than the timeout of a request's statements.
  await tx`set local statement_timeout = 0`;
  const views = scope.merchantId === undefined ? [] : await narrowTo(tx, scope.merchantId);
  const broken: BrokenInvariant[] = [];
  for (const { name, query } of await readQueries()) {
    const rows = await tx.unsafe(query.replace(SPAN, (_, time: string) => spanOf(time, scope)));
    if (rows.length > 0) broken.push({ name, rows: [...rows] });
  }
  for (const view of views) await tx.unsafe(`drop view pg_temp.${view}`);
  return broken;
}

async function readQueries(): Promise<{ name: string; query: string }[]> {
  const texts = await Promise.all(FILES.map((file) => readFile(join(import.meta.dirname, file), "utf8")));
  const queries = texts.map((text) => [...text.matchAll(QUERY)].map(([, name = "", query = ""]) => ({ name, query })));
  if (queries.some((ofFile) => ofFile.length === 0)) throw new Error("a file of invariants has no query");
  return queries.flat();
}

/** Hides the rows of other merchants: a temporary view is found before the table of its name. Returns the names of the views. */
async function narrowTo(tx: TransactionSql<{ bigint: bigint }>, merchantId: string): Promise<string[]> {
  await tx`select set_config('oja.merchant', ${merchantId}, true)`;
  const tables = await tx<{ name: string; owner: string }[]>`
    select c.table_name as name, max(c.column_name) as owner from information_schema.columns c
    join pg_tables t on t.schemaname = 'public' and t.tablename = c.table_name
    where c.table_schema = 'public' and (c.column_name = 'merchant_id' or (c.column_name = 'business_id' and c.table_name like 'audit%'))
    group by c.table_name`;
  for (const { name, owner } of tables)
    await tx.unsafe(`create temporary view ${name} as select * from public.${name} where ${OWN[owner]}`);
  return tables.map(({ name }) => name);
}

const OWN: Record<string, string> = {
  merchant_id: "merchant_id = current_setting('oja.merchant')",
  business_id: "business_id = (select m.business_id from public.merchants m where m.id = current_setting('oja.merchant'))",
};

function spanOf(time: string, { since, until }: Scope): string {
  const bounds = [since && `${time} >= '${since.toISOString()}'`, until && `${time} < '${until.toISOString()}'`].filter(Boolean);
  return bounds.length === 0 ? "true" : `(${bounds.join(" and ")})`;
}
