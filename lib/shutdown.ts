type Callback = () => Promise<void>;

// Kept on globalThis, because the server and Next's bundle each have a copy of this module.
const shared = globalThis as typeof globalThis & { ojaShutdown?: Set<Callback> };
shared.ojaShutdown ??= new Set();

/** Registers a callback that runs before the process ends after a signal to stop. */
export function onShutdown(callback: Callback): void {
  shared.ojaShutdown?.add(callback);
}

/** Runs the callbacks of `onShutdown`. Ignores their errors. */
export async function shutDown(): Promise<void> {
  await Promise.allSettled([...(shared.ojaShutdown ?? [])].map((callback) => callback()));
}
