import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as runMigrations } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "./client.ts";
import { installFunctions } from "./functions.ts";
import { open } from "./primary.ts";
import { watch } from "./watchdog.ts";
import { makeWeeks } from "./weeks.ts";

/** Key of the advisory lock: any constant that is the same in every process. */
const MIGRATION_LOCK = 7_302_991;

/**
 * Brings a database to the newest schema and functions, and makes the partitions of its next weeks. An advisory lock makes a second process wait for
 * the first. No statement has a time limit. If the database does not answer the watchdog, the migration stops.
 */
export async function migrate(url: string): Promise<void> {
  const client = open(url, { max: 1, onnotice: () => {} });
  const watchdog = watch(url, () => void client.end({ timeout: 0 }));
  try {
    await client`select pg_advisory_lock(${MIGRATION_LOCK})`;
    await refuseOldDatabase(client);
    await runMigrations(drizzle(client), { migrationsFolder: join(import.meta.dirname, "migrations") });
    await installFunctions(client);
    await makeWeeks(client);
  } finally {
    await watchdog.stop();
    await client.end();
  }
}

/** Before the first release, the migrations were replaced by one baseline. A database made by the old ones cannot be upgraded to it. */
async function refuseOldDatabase(client: Sql): Promise<void> {
  const [old] = await client`
    select from pg_proc where proname = 'ledger_apply' and pronamespace = current_schema()::regnamespace`;
  if (old)
    throw new Error(
      "This database was made by a version before the first release. Start with an empty one (the built-in database is in .data/).",
    );
}
