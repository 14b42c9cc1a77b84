import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { checkDueCardholders, lookAgainAtLostOperations, resolveDueOperations, syncDueCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";

/** Runs the worker's sweeps for cards, over and over, while the tests of a file run. */
export function withCardSweeps(): void {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  beforeAll(() => {
    running = (async () => {
      while (!stopping.signal.aborted) {
        await Promise.all([
          checkDueCardholders(systemContext("test")),
          resolveDueOperations(systemContext("test")),
          lookAgainAtLostOperations(systemContext("test")),
          syncDueCards(systemContext("test")),
        ]);
        await wait(100);
      }
    })();
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });
}
