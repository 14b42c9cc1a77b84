import { closeDatabase } from "#db/client.ts";
import { describeError } from "#lib/log.ts";
import { prepareEnvironment } from "../server/runtime.ts";

/**
 * Runs a script on DATABASE_URL or on the built-in database, then closes it. Does not migrate. If `run` throws, prints `failure` with the
 * error and exits with 1.
 */
export async function onDatabase(failure: string, run: () => Promise<void>): Promise<void> {
  const builtIn = await prepareEnvironment();
  try {
    await run();
  } catch (error) {
    console.error(failure, describeError(error));
    process.exitCode = 1;
  } finally {
    await closeDatabase();
    await builtIn?.stop();
  }
}
