const PATIENCE_MS = 15_000;

/** Gives a request up after a while: on a connection that died with the last network it would hang for as long as the browser lets it. */
export async function patiently<T>(run: (signal: AbortSignal) => Promise<T>, asking = new AbortController()): Promise<T> {
  const end = setTimeout(() => asking.abort(), PATIENCE_MS);
  try {
    return await run(asking.signal);
  } finally {
    clearTimeout(end);
  }
}
