type Duty = () => Promise<void>;

// Kept on the process: the server and Next's bundle each have a copy of this module.
const shared = globalThis as typeof globalThis & { ojaShutdown?: Set<Duty> };
shared.ojaShutdown ??= new Set();

/** Has `duty` done before the process ends in peace. */
export function onShutdown(duty: Duty): void {
  shared.ojaShutdown?.add(duty);
}

export async function shutDown(): Promise<void> {
  await Promise.allSettled([...(shared.ojaShutdown ?? [])].map((duty) => duty()));
}
