import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "./client.ts";

export interface BrokenInvariant {
  name: string;
  rows: Record<string, unknown>[];
}

const QUERY = /-- name: (.+)\n([\s\S]+?;)/g;

/** Runs db/invariants.sql in one snapshot. Answers what is broken: an empty list, on a sound database. */
export async function brokenInvariants(sql: Sql): Promise<BrokenInvariant[]> {
  const text = await readFile(join(import.meta.dirname, "invariants.sql"), "utf8");
  const queries = [...text.matchAll(QUERY)].map(([, name = "", query = ""]) => ({ name, query }));
  if (queries.length === 0) throw new Error("db/invariants.sql holds no query");
  return sql.begin("isolation level repeatable read read only", async (tx) => {
    const broken: BrokenInvariant[] = [];
    // A large ledger takes longer than a request may.
    await tx`set local statement_timeout = 0`;
    for (const { name, query } of queries) {
      const rows = await tx.unsafe(query);
      if (rows.length > 0) broken.push({ name, rows: [...rows] });
    }
    return broken;
  });
}
