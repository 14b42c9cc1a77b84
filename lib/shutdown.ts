import { shared } from "./shared.ts";

type Callback = () => Promise<void>;

const callbacks = shared("shutdown", () => new Set<Callback>());

/** Registers a callback that runs before the process ends after a signal to stop. */
export function onShutdown(callback: Callback): void {
  callbacks.add(callback);
}

/** Runs the callbacks of `onShutdown`. Ignores their errors. */
export async function shutDown(): Promise<void> {
  await Promise.allSettled([...callbacks].map((callback) => callback()));
}
