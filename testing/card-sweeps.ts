import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { checkDueCardholders, recheckLostOperations, resolveDueOperations, syncDueCards } from "#services/cards/index.ts";
import { systemContext } from "#services/context.ts";

interface CardSweeps {
  /** Runs `act` while none of the sweeps runs, so that what it makes due is its own. */
  without: <T>(act: () => Promise<T>) => Promise<T>;
}

/** Repeats the worker's sweeps for cards during the tests of a file. */
export function withCardSweeps(): CardSweeps {
  const stopping = new AbortController();
  let running: Promise<void> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const oneAfterAnother = <T>(act: () => Promise<T>): Promise<T> => {
    const own = last.then(act);
    last = own.catch(() => undefined);
    return own;
  };
  const sweep = () =>
    Promise.all([
      checkDueCardholders(systemContext("test")),
      resolveDueOperations(systemContext("test")),
      recheckLostOperations(systemContext("test")),
      syncDueCards(systemContext("test")),
    ]);
  beforeAll(() => {
    running = (async () => {
      while (!stopping.signal.aborted) {
        await oneAfterAnother(sweep);
        await wait(300);
      }
    })();
  });
  afterAll(async () => {
    stopping.abort();
    await running;
  });
  return { without: oneAfterAnother };
}
