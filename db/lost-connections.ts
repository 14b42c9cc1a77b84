import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#lib/log.ts";
import { open } from "./primary.ts";

/** After how many seconds without an answer a connection is looked at. */
export const SILENT_AFTER_S = 5;
const LOOK_EVERY_MS = 2_000;
const LOOK_WITHIN_S = 3;

/** Where a server process is: `since` is the same as long as it does nothing. */
interface Place {
  pid: number;
  since: string;
}

/** Whether a server process waits for its client: no query has come, or an answer is on its way. */
const WAITS = "wait_event_type = 'Client'";
const SINCE = "concat(backend_start, ' ', state, ' ', state_change)";
const GONE = "gone";

/**
 * Returns a function that takes each connection whose query has had no answer for 5 s, and closes those that have lost their bytes. The server
 * says which: while our side waits for it, the connection's process waits for us, in two looks 2 s apart. That process is ended first, so its
 * transaction lets its locks go, and a query that is still on its way is not executed. The outcome of the query that waits is unknown.
 *
 * Behind a pooler the numbers of processes are not the server's, so no connection is closed.
 */
export function closeLostConnections(url: string): (silence: postgres.Silence) => void {
  const silences = new Map<number, { silence: postgres.Silence; since?: string | undefined }>();
  let isLooking = false;

  async function look(): Promise<void> {
    let own: postgres.Sql | undefined;
    isLooking = true;
    while (forgetAnswered()) {
      own ??= open(url, { max: 1, fetch_types: false, connect_timeout: LOOK_WITHIN_S, answer_timeout: LOOK_WITHIN_S, onnotice: () => {} });
      try {
        await closeLost(own);
      } catch (error) {
        log().warn({ err: error }, "the database could not be asked which connections are lost; it is asked again");
        void own.end({ timeout: 0 });
        own = undefined;
      }
      await wait(LOOK_EVERY_MS, undefined, { ref: false });
    }
    isLooking = false;
    void own?.end({ timeout: 0 });
  }

  function forgetAnswered(): boolean {
    for (const [pid, { silence }] of silences) if (!silence.isSilent()) silences.delete(pid);
    return silences.size > 0;
  }

  async function closeLost(own: postgres.Sql): Promise<void> {
    const places = await placesOf(own, [...silences.keys()]);
    for (const [pid, seen] of silences) {
      const since = places.get(pid);
      if (since !== undefined && since === seen.since && seen.silence.isSilent()) {
        if (since !== GONE) await end(own, { pid, since });
        log().warn({ databasePid: pid }, "a connection to the database has lost its bytes; it is closed");
        seen.silence.giveUp();
      }
      seen.since = since;
    }
  }

  return (silence) => {
    const known = silences.get(silence.pid);
    if (!known?.silence.isSilent()) silences.set(silence.pid, { silence });
    if (!isLooking) void look();
  };
}

/** Returns the places of those processes that wait for their client, and of those that are gone. */
async function placesOf(own: postgres.Sql, pids: number[]): Promise<Map<number, string>> {
  const places = await own.unsafe<(Place & { asking: number; waits: boolean })[]>(
    `select pid, pg_backend_pid() as asking, ${SINCE} as since, ${WAITS} as waits
     from pg_stat_activity where pid = pg_backend_pid() or pid = any($1::int[])`,
    [`{${pids.join()}}`],
  );
  if (places[0]?.asking !== places.state.pid) return new Map();
  const known = new Map(places.map((place) => [place.pid, place]));
  return new Map(
    pids.flatMap((pid) => {
      const place = known.get(pid);
      if (!place) return [[pid, GONE] as const];
      return place.waits ? [[pid, place.since] as const] : [];
    }),
  );
}

/** Ends a process that has done nothing since it was seen. */
async function end(own: postgres.Sql, { pid, since }: Place): Promise<void> {
  await own.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITS} and pid = $1 and ${SINCE} = $2`, [pid, since]);
}
