const lastOf = new Map<string, Promise<unknown>>();

/** Runs `run` after all earlier calls of this process with the same key have ended, in their order. Returns or throws as `run` does. */
export async function oneAtATime<T>(key: string, run: () => Promise<T>): Promise<T> {
  const before = lastOf.get(key) ?? Promise.resolve();
  const own = before.then(run, run);
  lastOf.set(key, own);
  try {
    return await own;
  } finally {
    if (lastOf.get(key) === own) lastOf.delete(key);
  }
}
