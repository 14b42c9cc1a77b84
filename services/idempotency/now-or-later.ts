import { setTimeout as wait } from "node:timers/promises";
import { isAboutData } from "#db/client.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";

interface Change {
  run: () => Promise<unknown>;
  /** The deadline, as a time of `performance.now()`. */
  untilMs: number;
}

const RETRY_EVERY_MS = SECOND_MS;
const MAX_REMEMBERED = 10_000;
const remembered = new Set<Change>();
let isRetrying = false;

/**
 * Makes a small change now, or once a second until `withinMs` have passed, if the database does not answer. The change must be safe to repeat and
 * at any later time. Throws an error that the change itself caused.
 */
export async function nowOrLater(run: () => Promise<unknown>, withinMs: number): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (isAboutData(error) || remembered.size >= MAX_REMEMBERED) throw error;
    log().warn({ err: error }, "a change of an Idempotency-Key is made when the database answers again");
    remembered.add({ run, untilMs: performance.now() + withinMs });
    if (!isRetrying) void retryAll();
  }
}

async function retryAll(): Promise<void> {
  isRetrying = true;
  while (remembered.size > 0) {
    await wait(RETRY_EVERY_MS, undefined, { ref: false });
    await forEachAtOnce([...remembered], async (change) => {
      if (performance.now() >= change.untilMs || (await isMade(change))) remembered.delete(change);
    });
  }
  isRetrying = false;
}

async function isMade({ run }: Change): Promise<boolean> {
  try {
    await run();
    return true;
  } catch (error) {
    if (!isAboutData(error)) return false;
    log().error({ err: error }, "a change of an Idempotency-Key failed; its lease ends by itself");
    return true;
  }
}
