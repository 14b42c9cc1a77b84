import { closeDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { settings } from "#lib/env.ts";
import { requireKnownProviders } from "#services/providers/index.ts";
import { type BuiltIn, prepareEnvironment } from "./runtime.ts";

let builtIn: BuiltIn;

/** Opens the database of this installation, built-in or not, and migrates it. Throws an Error with a one-line message. */
export async function openSession(): Promise<void> {
  builtIn = await prepareEnvironment();
  requireKnownProviders();
  await migrate(settings().DATABASE_URL);
}

/** Closes the database and the built-in server, also if `openSession` failed halfway. */
export async function closeSession(): Promise<void> {
  await closeDatabase();
  await builtIn?.stop();
}
