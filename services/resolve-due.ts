import { forEachAtOnce } from "#lib/for-each-at-once.ts";

interface DueWork<Key> {
  /** The names of the providers that are asked. */
  providers: readonly string[];
  /** How many are found and resolved at once at each provider. */
  limit: number;
  withinMs: number;
  findDue: (provider: string, limit: number) => Promise<Key[]>;
  resolve: (key: Key) => Promise<void>;
}

/**
 * Resolves the due work of all merchants, until none is due or `withinMs` have passed. Providers are asked in parallel, so that one that hangs delays
 * nothing at another. Returns how many were due.
 */
export async function resolveDue<Key>({ providers, withinMs, ...work }: DueWork<Key>): Promise<number> {
  const deadline = Date.now() + withinMs;
  const done = await Promise.all(providers.map((provider) => resolveDueAt(provider, deadline, work)));
  return done.reduce((sum, each) => sum + each, 0);
}

type WorkAtOne<Key> = Pick<DueWork<Key>, "limit" | "findDue" | "resolve">;

async function resolveDueAt<Key>(provider: string, deadline: number, { limit, findDue, resolve }: WorkAtOne<Key>): Promise<number> {
  let done = 0;
  for (let found = limit; found === limit && Date.now() < deadline; ) {
    const due = await findDue(provider, limit);
    await forEachAtOnce(due, resolve);
    found = due.length;
    done += found;
  }
  return done;
}
