import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Any constant will do; it only has to be the same in every process that migrates. */
const MIGRATION_LOCK = 7_302_991;

/** Brings a database to the newest schema. Two processes at once take turns. */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await runMigrations(drizzle(client), { migrationsFolder: join(import.meta.dirname, "migrations") });
  } finally {
    await client.end();
  }
}
