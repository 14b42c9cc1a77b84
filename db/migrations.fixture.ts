import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Sql } from "#db/client.ts";

const FOLDER = join(import.meta.dirname, "migrations");

/** Returns the names of all migrations, in their order. */
export const migrations = (): string[] => globSync("*.sql", { cwd: FOLDER }).toSorted();

/** Runs the statements of a migration. */
export async function applyMigration(query: Sql, file: string): Promise<void> {
  for (const statement of readFileSync(join(FOLDER, file), "utf8").split("--> statement-breakpoint")) await query.unsafe(statement);
}
