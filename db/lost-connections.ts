import { setTimeout as wait } from "node:timers/promises";
import type postgres from "postgres";
import { log } from "#lib/log.ts";
import { open } from "./primary.ts";

/** After how many seconds without an answer a connection is looked at. */
export const SILENT_AFTER_S = 5;
const LOOK_EVERY_MS = 2_000;
const LOOK_WITHIN_S = 3;

/** A server process waits for its client: no query has come, or an answer is on its way. It is not in the midst of a commit. */
const WAITS = "wait_event_type = 'Client'";
/** The same as long as a process does nothing. */
const SINCE = "concat(backend_start, ' ', state, ' ', state_change)";
const GONE = "gone";

interface Place {
  pid: number;
  since: string;
  waits: boolean;
}

interface Seen {
  silence: postgres.Silence;
  since?: string | undefined;
}

/** A process whose connection our side has closed. The server may not have heard of that. */
interface Abandoned extends postgres.Backend {
  atMs: number;
}

/**
 * Returns what postgres.js calls for the connections of a pool, so that a network that loses some of them holds up no others.
 *
 * - A query has had no answer for 5 s. The server says whether the connection has lost its bytes: while our side waits for it, its process
 *   waits for us, in two looks 2 s apart. The process is ended, so that a query that is still on its way is not executed, and then the
 *   connection is closed. The outcome of its query is unknown.
 * - Our side has closed a connection in the midst of its work. Its process is ended as soon as it waits for us. It would keep the locks of its
 *   transaction for 30 s, and so would each that waits for these locks, one after the other.
 *
 * Behind a pooler the numbers of processes are not the server's, so nothing is done.
 */
export function endLostConnections(url: string): Pick<postgres.Options<never>, "onsilent" | "onabandoned"> {
  const silences = new Map<number, Seen>();
  const abandoned = new Map<number, Abandoned>();
  let isLooking = false;

  async function look(): Promise<void> {
    let own: postgres.Sql | undefined;
    isLooking = true;
    while (isAnyLeft()) {
      own ??= connectToLook(url);
      try {
        await lookOnce(own);
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

  function isAnyLeft(): boolean {
    for (const [pid, { silence }] of silences) if (!silence.isSilent()) silences.delete(pid);
    return silences.size + abandoned.size > 0;
  }

  async function lookOnce(own: postgres.Sql): Promise<void> {
    // Those that come while the server is asked are of the next look.
    const [silent, left] = [[...silences], [...abandoned]];
    const places = await placesOf(
      own,
      [...silent, ...left].map(([pid]) => pid),
    );
    for (const [pid, seen] of silent) {
      const since = markOf(places(seen.silence));
      if (since !== undefined && since === seen.since && seen.silence.isSilent()) {
        if (since !== GONE) await end(own, { pid, since });
        log().warn({ databasePid: pid }, "a connection to the database has lost its bytes; it is closed");
        seen.silence.giveUp();
      }
      seen.since = since;
    }
    for (const [pid, backend] of left) {
      const place = places(backend);
      if (place === undefined || place === GONE) abandoned.delete(pid);
      else if (place.waits) await endAbandoned(own, backend);
    }
  }

  const begin = () => {
    if (!isLooking) void look();
  };
  return {
    onsilent(silence) {
      if (!silences.get(silence.pid)?.silence.isSilent()) silences.set(silence.pid, { silence });
      begin();
    },
    onabandoned({ pid, server }) {
      abandoned.set(pid, { pid, server, atMs: performance.now() });
      begin();
    },
  };
}

const connectToLook = (url: string): postgres.Sql =>
  open(url, {
    ...{ max: 1, fetch_types: false, connect_timeout: LOOK_WITHIN_S, answer_timeout: LOOK_WITHIN_S, onnotice: () => {} },
    connection: { application_name: "oja-lost-connections" },
  });

type Places = (backend: postgres.Backend) => Place | typeof GONE | undefined;

/** Returns where processes are. The place of one on another server is not known, and behind a pooler none is. */
async function placesOf(own: postgres.Sql, pids: number[]): Promise<Places> {
  const rows = await own.unsafe<(Place & { asking: number })[]>(
    `select pid, pg_backend_pid() as asking, ${SINCE} as since, ${WAITS} as waits
     from pg_stat_activity where pid = pg_backend_pid() or pid = any($1::int[])`,
    [`{${pids.join()}}`],
  );
  const { pid: ownPid, server: ownServer } = rows.state;
  const isDirect = rows[0]?.asking === ownPid;
  const known = new Map(rows.map((place) => [place.pid, place]));
  return ({ pid, server }) => (isDirect && server === ownServer ? (known.get(pid) ?? GONE) : undefined);
}

/** Returns what is the same in two looks where nothing happens, or undefined where the process does not wait for us. */
function markOf(place: ReturnType<Places>): string | undefined {
  if (place === undefined || place === GONE) return place;
  return place.waits ? place.since : undefined;
}

/** Ends a process that has done nothing since it was seen. */
async function end(own: postgres.Sql, { pid, since }: Pick<Place, "pid" | "since">): Promise<void> {
  await own.unsafe(`select pg_terminate_backend(pid) from pg_stat_activity where ${WAITS} and pid = $1 and ${SINCE} = $2`, [pid, since]);
}

/** Ends a process that waits for its client, unless it began after the connection was closed: then it is another with the same number. */
async function endAbandoned(own: postgres.Sql, { pid, atMs }: Abandoned): Promise<void> {
  await own.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where ${WAITS} and pid = $1 and backend_start < clock_timestamp() - $2::int * interval '1 ms'`,
    [pid, Math.round(performance.now() - atMs)],
  );
}
