import { setTimeout as wait } from "node:timers/promises";
import { log } from "#lib/log.ts";
import { connect, replacePool, type Sql } from "./client.ts";
import { findPrimary, hostsOf, TIMELINE } from "./primary.ts";

const ASK_EVERY_MS = 2_000;
const INTERVAL_MS = 500;
/** The database counts as silent after this many waits: 5 s. */
const SILENT_AFTER_INTERVALS = 10;
/** The hosts are asked at this interval which of them is the primary. */
const COMPARE_EVERY_ASKS = 5;

export interface Watchdog {
  stop(): Promise<void>;
}

/** Watches the database of this process's pool: `watch`. */
export const watchPool = (url: string): Watchdog => watch(url, replacePool);

/**
 * Asks the database a small question every 2 s, on a connection of its own that no other query keeps busy. Calls `onSilence` each time the
 * answer does not come within 5 s, or where another host has become the primary. An error of the server is an answer.
 */
export function watch(url: string, onSilence: () => void): Watchdog {
  const stopped = new AbortController();
  const running = (async () => {
    let own = connect(url, { max: 1 }).sql;
    for (let asks = 0; !stopped.signal.aborted; asks++) {
      const trouble = await troubleOf(url, own, { stopped: stopped.signal, compares: asks % COMPARE_EVERY_ASKS === 0 });
      if (trouble && !stopped.signal.aborted) {
        log().warn(`${trouble}; the connections to the database are discarded`);
        onSilence();
        void own.end({ timeout: 0 });
        own = connect(url, { max: 1 }).sql;
      }
      await wait(ASK_EVERY_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
    await own.end({ timeout: 0 });
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

interface Asking {
  stopped: AbortSignal;
  compares: boolean;
}

const SILENT = "the database is silent";
/** The codes of timeouts on this side: while connecting, while waiting for an answer, and of `findPrimary`. */
const GIVEN_UP = new Set(["CONNECT_TIMEOUT", "ANSWER_TIMEOUT", "CONNECT_NO_PRIMARY"]);

/** Returns the reason why the present connections must be replaced, or undefined if they work. */
async function troubleOf(url: string, own: Sql, { stopped, compares }: Asking): Promise<string | undefined> {
  const question = own.unsafe<{ timeline: number }[]>(TIMELINE).then(
    ([row]) => row?.timeline,
    ({ code }: NodeJS.ErrnoException) => (GIVEN_UP.has(code ?? "") ? SILENT : undefined),
  );
  const answer = await Promise.race([question, silenceAfter(stopped)]);
  if (typeof answer === "string") return answer;
  if (answer === undefined || hostsOf(url).length < 2) return undefined;
  if (answer === 0) return "this host is a standby now";
  if (!compares) return undefined;
  const primary = await findPrimary(url).catch(() => undefined);
  return primary && primary.timeline > answer ? "another host is the primary now" : undefined;
}

/** Waits in short intervals. A process that was stopped or busy loses only one interval, and then reads an answer that has arrived. */
async function silenceAfter(stopped: AbortSignal): Promise<string> {
  for (let turn = 0; turn < SILENT_AFTER_INTERVALS && !stopped.aborted; turn++) {
    await wait(INTERVAL_MS, undefined, { signal: stopped }).catch(() => undefined);
  }
  return SILENT;
}
