import { closeDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { settings } from "#lib/env.ts";
import { requireKnownProviders } from "#services/providers/index.ts";
import { type BuiltIn, prepareEnvironment } from "./runtime.ts";

let builtIn: BuiltIn;

/** Opens the database of this installation, built-in or not, at its latest version. Throws an Error that says what is wrong in one line. */
export async function openSession(): Promise<void> {
  builtIn = await prepareEnvironment();
  requireKnownProviders();
  await migrate(settings().DATABASE_URL);
}

/** Closes what `openSession` opened, however far it came. */
export async function closeSession(): Promise<void> {
  await closeDatabase();
  await builtIn?.stop();
}
