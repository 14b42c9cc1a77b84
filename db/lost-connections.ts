import { setTimeout as wait } from "node:timers/promises";
import pTimeout from "p-timeout";
import type postgres from "postgres";
import { log } from "#lib/log.ts";
import { SECOND_MS } from "#lib/time.ts";
import { open } from "./primary.ts";
import type { ServerProcess, Silence, Watch } from "./wire/watch.ts";

const LOOK_EVERY_MS = 2_000;
const LOOK_WITHIN_S = 3;
/** A closed connection is watched for this long. The server ends its statement after 30 s, and then its idle transaction after 30 s. */
const ABANDONED_FOR_MS = 65_000;

/** A process of the database server, as pg_stat_activity shows it. */
interface Place {
  pid: number;
  /** A text that stays the same while the process does nothing. */
  since: string;
  /** Whether it waits for its client: for a query, or to send an answer. It is then not inside a commit. */
  waits: boolean;
  ageMs: number;
}

/** `unknown`: the process is on another server, or a pooler hides it. */
type ProcessState = Place | "gone" | "unknown";

interface Seen {
  silence: Silence;
  /** The mark of its process at the last check (`markOf`). */
  since?: string | undefined;
}

/** A server process whose connection this side has closed. The server may not know that yet. */
interface Abandoned extends ServerProcess {
  atMs: number;
}

/**
 * Returns callbacks that end the lost connections of a pool, so that a network that loses some does not block the others.
 *
 * - A query has had no answer for 5 s. The server shows whether the connection has lost bytes: while this side waits, the server's process
 *   waits for this side, in two checks 2 s apart. The process is ended, so that a query still in transit is not executed, and then the
 *   connection is closed. The outcome of its query is unknown.
 * - This side has closed a connection during its work. Its process is ended as soon as it waits for its client. It would keep the locks of its
 *   transaction for 30 s, and so would each process that waits for these locks, one after the other.
 *
 * Behind a pooler the process ids are not those of the server, so nothing is done.
 */
export function endLostConnections(url: string): Pick<Required<Watch>, "onSilence" | "onAbandoned"> {
  const silences = new Map<string, Seen>();
  const abandoned = new Map<string, Abandoned>();
  let isLooking = false;

  async function look(): Promise<void> {
    let own: Looker | undefined;
    let hasFailed = false;
    isLooking = true;
    while (isAnyLeft()) {
      try {
        own ??= connectToLook(url);
        // postgres.js connects again without end where a proxy accepts connections and closes them.
        await pTimeout(lookOnce(own), { milliseconds: 2 * LOOK_WITHIN_S * SECOND_MS, message: "the database does not answer" });
      } catch (error) {
        if (!hasFailed) log().warn({ err: error }, "the database could not be asked which connections are lost; it is asked again");
        hasFailed = true;
        void own?.client.end({ timeout: 0 });
        own = undefined;
      }
      await wait(LOOK_EVERY_MS, undefined, { ref: false });
    }
    isLooking = false;
    void own?.client.end({ timeout: 0 });
  }

  function isAnyLeft(): boolean {
    for (const [name, { silence }] of silences) if (!silence.isSilent()) silences.delete(name);
    for (const [name, { atMs }] of abandoned) if (performance.now() - atMs > ABANDONED_FOR_MS) abandoned.delete(name);
    return silences.size + abandoned.size > 0;
  }

  async function lookOnce(own: Looker): Promise<void> {
    // Connections that are added while the server is asked are checked in the next round.
    const [silent, left] = [[...silences.values()], [...abandoned.values()]];
    const startedAtMs = performance.now();
    const find = await findProcesses(own, [...silent.map(({ silence }) => silence), ...left]);
    for (const seen of silent) await closeIfLost(own, seen, find(seen.silence));
    for (const each of left) {
      const place = find(each);
      // A process that is younger than the closing is another one with the same id.
      const isGone = typeof place === "string" || place.ageMs < startedAtMs - each.atMs;
      if (isGone) abandoned.delete(nameOf(each));
      else if (place.waits) await end(own.client, place);
    }
  }

  const begin = () => {
    if (!isLooking) void look();
  };
  return {
    onSilence(silence) {
      const name = nameOf(silence);
      if (!silences.get(name)?.silence.isSilent()) silences.set(name, { silence });
      begin();
    },
    onAbandoned({ pid, server }) {
      abandoned.set(nameOf({ pid, server }), { pid, server, atMs: performance.now() });
      begin();
    },
  };
}

const nameOf = ({ pid, server }: ServerProcess) => `${server} ${pid}`;

/** A connection that asks the server what the processes of other connections do. */
interface Looker {
  client: postgres.Sql;
  /** Its own process in the server. */
  process: () => ServerProcess | undefined;
}

function connectToLook(url: string): Looker {
  let process: ServerProcess | undefined;
  const options = { max: 1, fetch_types: false, connect_timeout: LOOK_WITHIN_S, onnotice: () => {} };
  const watching = { answerWithinMs: LOOK_WITHIN_S * SECOND_MS, onGreeting: (own: ServerProcess) => (process = own) };
  const client = open(url, { ...options, connection: { application_name: "oja-lost-connections" } }, watching);
  return { client, process: () => process };
}

/** Closes a connection whose process has waited for its client, or has been gone, since the last check. */
async function closeIfLost({ client }: Looker, seen: Seen, place: ProcessState): Promise<void> {
  const since = markOf(place);
  const isLost = since !== undefined && since === seen.since && seen.silence.isSilent();
  seen.since = since;
  if (!isLost) return;
  // The process has begun to work in the meantime, so it is checked again.
  if (typeof place !== "string" && !(await end(client, place))) return;
  if (!seen.silence.isSilent()) return;
  log().warn({ databasePid: seen.silence.pid }, "a connection to the database has lost bytes; it is closed");
  seen.silence.giveUp();
}

/** Returns a mark that is equal in two checks if nothing happened between them. Undefined if the process does not wait for its client. */
function markOf(place: ProcessState): string | undefined {
  if (typeof place === "string") return place === "gone" ? place : undefined;
  return place.waits ? place.since : undefined;
}

const WAITS = "wait_event_type = 'Client'";
const SINCE = "concat(backend_start, ' ', state, ' ', state_change)";

async function findProcesses(own: Looker, backends: ServerProcess[]): Promise<(backend: ServerProcess) => ProcessState> {
  const rows = await own.client.unsafe<(Place & { asking: number })[]>(
    `select pid, pg_backend_pid() as asking, ${SINCE} as since, ${WAITS} as waits,
       floor(extract(epoch from clock_timestamp() - backend_start) * 1000)::float8 as "ageMs"
     from pg_stat_activity where pid = pg_backend_pid() or pid = any($1::int[])`,
    [`{${backends.map(({ pid }) => pid).join()}}`],
  );
  const asking = own.process();
  const isDirect = rows[0]?.asking === asking?.pid;
  const places = new Map(rows.map((place) => [place.pid, place]));
  return ({ pid, server }) => (isDirect && server === asking?.server ? (places.get(pid) ?? "gone") : "unknown");
}

/** Ends a process of this service that still waits since the check. Returns false if it does not. */
async function end(client: postgres.Sql, { pid, since }: Place): Promise<boolean> {
  const ended = await client.unsafe(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where ${WAITS} and pid = $1 and ${SINCE} = $2 and datname = current_database() and usename = current_user`,
    [pid, since],
  );
  return ended.length > 0;
}
