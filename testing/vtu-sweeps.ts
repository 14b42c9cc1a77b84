import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { systemContext } from "#services/context.ts";
import { resolveDuePurchases } from "#services/vtu/index.ts";

/** Runs the worker's sweeps for purchases, over and over, while the tests of a file run. */
export function withVtuSweeps(): void {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  beforeAll(() => {
    running = (async () => {
      while (!stopping.signal.aborted) {
        await resolveDuePurchases(systemContext("test"));
        await wait(100);
      }
    })();
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });
}
