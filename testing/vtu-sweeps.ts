import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { systemContext } from "#services/context.ts";
import { resolveDuePurchases } from "#services/vtu/index.ts";

/** Repeats the worker's sweep for purchases during the tests of a file. */
export function withVtuSweeps(): void {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  beforeAll(() => {
    running = (async () => {
      while (!stopping.signal.aborted) {
        await resolveDuePurchases(systemContext("test"));
        await wait(300);
      }
    })();
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });
}
