import { existsSync } from "node:fs";
import { join } from "node:path";
import { type LocalPostgres, startLocalPostgres } from "./embedded-postgres.ts";
import { ensureDatabase } from "./postgres-databases.ts";
import { keptSecret } from "./postgres-files.ts";

export const ROOT = join(import.meta.dirname, "..");
const HOME = join(ROOT, ".data");

/** The built-in PostgreSQL, where there is no DATABASE_URL; undefined where there is one. */
export type BuiltIn = LocalPostgres | undefined;

/**
 * Completes the environment of this process (and of its children): settings from `.env`, and without a DATABASE_URL the built-in
 * database and a secret key that is made once. Throws what is wrong, in one line.
 */
export async function prepareEnvironment(): Promise<BuiltIn> {
  const file = join(ROOT, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
  const { env } = process;
  if (env.DATABASE_URL) return undefined;
  const server = await startLocalPostgres(HOME);
  env.DATABASE_URL = await ensureDatabase(server, "oja");
  env.OJA_SECRET_KEY ||= keptSecret(join(HOME, "secret-key"));
  return server;
}
