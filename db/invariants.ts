import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TransactionSql } from "postgres";
import type { Sql } from "./client.ts";

export interface BrokenInvariant {
  name: string;
  rows: Record<string, unknown>[];
}

const QUERY = /-- name: (.+)\n([\s\S]+?;)/g;

/** Runs db/invariants.sql in one snapshot. Returns the broken invariants with their rows; none for a sound database. */
export async function findBrokenInvariants(sql: Sql): Promise<BrokenInvariant[]> {
  return sql.begin("isolation level repeatable read read only", brokenInvariantsIn);
}

/** Returns the invariants that are broken from the view of a transaction, uncommitted changes included. */
export async function brokenInvariantsIn(tx: TransactionSql<{ bigint: bigint }>): Promise<BrokenInvariant[]> {
  const text = await readFile(join(import.meta.dirname, "invariants.sql"), "utf8");
  const queries = [...text.matchAll(QUERY)].map(([, name = "", query = ""]) => ({ name, query }));
  if (queries.length === 0) throw new Error("db/invariants.sql has no query");
  // A large ledger takes longer than the timeout of a request's statements.
  await tx`set local statement_timeout = 0`;
  const broken: BrokenInvariant[] = [];
  for (const { name, query } of queries) {
    const rows = await tx.unsafe(query);
    if (rows.length > 0) broken.push({ name, rows: [...rows] });
  }
  return broken;
}
