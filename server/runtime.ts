import { existsSync } from "node:fs";
import { join } from "node:path";
import { readSetting } from "#lib/env.ts";
import { type LocalPostgres, startLocalPostgres } from "./embedded-postgres.ts";
import { ensureDatabase } from "./postgres-databases.ts";
import { keptSecret } from "./postgres-files.ts";

export const ROOT = join(import.meta.dirname, "..");
const HOME = join(ROOT, ".data");

/** The built-in PostgreSQL, or undefined if DATABASE_URL is set. */
export type BuiltIn = LocalPostgres | undefined;

/**
 * Completes the environment of this process and its children with the settings of `.env`. Without a DATABASE_URL, starts the built-in
 * database and adds its URL and a secret key that is created once. Throws `CannotStart` or `BadSettings` with a one-line message.
 */
export async function prepareEnvironment(): Promise<BuiltIn> {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const { env } = process;
  delete env.OJA_MAILBOX_KEY;
  // Read first, so that a file which cannot be read leaves no database running.
  const [databaseUrl, secretKey] = [readSetting("DATABASE_URL"), readSetting("OJA_SECRET_KEY")];
  if (databaseUrl) return undefined;
  const server = await startLocalPostgres(HOME);
  env.DATABASE_URL = await ensureDatabase(server, "oja");
  if (!secretKey) env.OJA_SECRET_KEY = keptSecret(join(HOME, "secret-key"));
  env.OJA_MAILBOX_KEY = keptSecret(join(HOME, "mailbox-key"));
  return server;
}
