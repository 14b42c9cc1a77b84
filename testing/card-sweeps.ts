import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { checkDueCardholders, recheckLostOperations, resolveDueOperations, syncDueCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";

/** Repeats the worker's sweeps for cards during the tests of a file. */
export function withCardSweeps(): void {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  beforeAll(() => {
    running = (async () => {
      while (!stopping.signal.aborted) {
        await Promise.all([
          checkDueCardholders(systemContext("test")),
          resolveDueOperations(systemContext("test")),
          recheckLostOperations(systemContext("test")),
          syncDueCards(systemContext("test")),
        ]);
        await wait(300);
      }
    })();
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });
}
