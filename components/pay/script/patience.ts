const PATIENCE_MS = 15_000;

/**
 * Runs a request and aborts it after `PATIENCE_MS`. On the dead connection of an earlier network it would hang as long as the browser
 * allows.
 */
export async function patiently<T>(run: (signal: AbortSignal) => Promise<T>, asking = new AbortController()): Promise<T> {
  const end = setTimeout(() => asking.abort(), PATIENCE_MS);
  try {
    return await run(asking.signal);
  } finally {
    clearTimeout(end);
  }
}
