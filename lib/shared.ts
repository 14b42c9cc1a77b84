/**
 * The state that the two copies of the code in a web process share. The server has one copy, which serves the routes, and Next's bundle has the
 * other, which renders pages. All other state of a module exists once in each copy.
 */
type SharedName =
  | "connection" // db/client.ts: one pool for a process
  | "long-reads" // db/client.ts: connections that `replacePool` closes too
  | "shutdown" // lib/shutdown.ts: callbacks before the end
  | "rate-limits" // app/_http/rate-limit.ts: a page and a request of a session count together
  | "turns" // lib/one-at-a-time.ts: a page and a route wait for each other
  | "sessions" // services/sessions/find-session.ts
  | "seen-secrets"; // services/vtu/purchases/show-secrets.ts: one entry of the audit, on a page or by a route

const SHARED = Symbol.for("oja.shared");
const process_ = globalThis as { [SHARED]?: Map<SharedName, unknown> };
process_[SHARED] ??= new Map();
const values = process_[SHARED];

/** Returns the process's one value of this name. The first call makes it. Only one file uses each name (see `SharedName`), so a name has one type. */
export function shared<T>(name: SharedName, make: () => T): T {
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as T;
}

/** Removes the value of this name, and returns it. The next call of `shared` makes another one. */
export function removeShared<T>(name: SharedName): T | undefined {
  const value = values.get(name) as T | undefined;
  values.delete(name);
  return value;
}
