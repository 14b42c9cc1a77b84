import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import pTimeout from "p-timeout";
import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { connect, type Sql, sql } from "./client.ts";

const HEARTBEAT_MS = 2_000;
const SILENT_AFTER_MS = 3 * HEARTBEAT_MS;

export interface Listener {
  stop(): Promise<void>;
}

/**
 * Calls `hear` with each message of a channel, on a connection of its own. Sends itself a heartbeat there, and replaces a connection that
 * broke or went silent. Messages sent in the meantime are lost, so the caller must also poll at intervals.
 */
export function listen(channel: string, hear: (message: string) => void): Listener {
  const stopped = new AbortController();
  const heartbeat = `heartbeat ${randomUUID()}`;
  const running = (async () => {
    while (!stopped.signal.aborted) {
      const { sql: connection } = connect(settings().DATABASE_URL, { max: 1 });
      try {
        await hearUntilSilent(connection, { channel, heartbeat, hear, stopped: stopped.signal });
      } catch (error) {
        log().warn({ channel, err: error }, "the listener could not connect to the channel; it tries again");
        await wait(HEARTBEAT_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      } finally {
        await connection.end({ timeout: 1 });
      }
    }
  })();
  return {
    async stop() {
      stopped.abort();
      await running;
    },
  };
}

interface Subscription {
  channel: string;
  heartbeat: string;
  hear: (message: string) => void;
  stopped: AbortSignal;
}

async function hearUntilSilent(connection: Sql, { channel, heartbeat, hear, stopped }: Subscription): Promise<void> {
  let lastHeardAtMs = performance.now();
  const listening = connection.listen(channel, (message) => {
    if (message === heartbeat) lastHeardAtMs = performance.now();
    else if (!message.startsWith("heartbeat ")) hear(message);
  });
  await pTimeout(listening, { milliseconds: SILENT_AFTER_MS, message: "the database is silent" });
  while (performance.now() - lastHeardAtMs < SILENT_AFTER_MS) {
    await wait(HEARTBEAT_MS, undefined, { signal: stopped }).catch(() => undefined);
    if (stopped.aborted) return;
    await sql()`select pg_notify(${channel}, ${heartbeat})`;
  }
  log().warn({ channel }, "the channel went silent; the listener opens a new connection");
}
