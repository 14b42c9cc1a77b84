/**
 * The state of a web process that its two copies of the code share: the server has one copy, which answers by routes, and Next's bundle has the
 * other, which renders pages. All other state of a module exists once in each copy.
 */
type SharedName =
  | "connection" // db/client.ts: one pool for a process
  | "long-reads" // db/client.ts: connections that `replacePool` closes too
  | "shutdown" // lib/shutdown.ts: callbacks before the end
  | "rate-limits" // app/_http/rate-limit.ts: a page and a request of a session count together
  | "turns" // lib/one-at-a-time.ts: of a page and a route, one runs at a time
  | "sessions" // services/sessions/find-session.ts
  | "seen-secrets"; // services/vtu/purchases/show-secrets.ts: one entry of the audit, on a page or by a route

const SHARED = Symbol.for("oja.shared");
const process_ = globalThis as { [SHARED]?: Map<SharedName, unknown> };
process_[SHARED] ??= new Map();
const values = process_[SHARED];

/** Returns the process's one value of this name. The first call makes it. Only the file that `SharedName` names beside it calls this, so a name has one type. */
export function shared<T>(name: SharedName, make: () => T): T {
  if (!values.has(name)) values.set(name, make());
  return values.get(name) as T;
}

/** Takes the value of this name away, and returns it. The next `shared` makes another. */
export function takeShared<T>(name: SharedName): T | undefined {
  const value = values.get(name) as T | undefined;
  values.delete(name);
  return value;
}
