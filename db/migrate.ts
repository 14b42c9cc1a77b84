import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import postgres from "postgres";

/** Key of the advisory lock: any constant that is the same in every process. */
const MIGRATION_LOCK = 7_302_991;

/** Migrates a database to the newest schema. An advisory lock makes a second process wait for the first. */
export async function migrate(url: string): Promise<void> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await runMigrations(drizzle(client), { migrationsFolder: join(import.meta.dirname, "migrations") });
  } finally {
    await client.end();
  }
}
