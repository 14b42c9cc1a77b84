import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { CannotStart } from "./cannot-start.ts";
import { ensureServiceRole } from "./postgres-databases.ts";
import { enterableFolder, initialise, keptSecret, locateBinaries, noteMovedFolder, postgresAccount, SUPERUSER } from "./postgres-files.ts";

export interface LocalPostgres {
  /** URL of the maintenance database `postgres`, for the server's superuser. */
  url: string;
  /** The same URL for the role that owns the service's databases and nothing else. */
  serviceUrl: string;
  /** Stops the server, even one that another process started, unless another client is connected. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/**
 * Starts a real PostgreSQL with its data under `home`, or adopts the one that already runs there. The server has a session of its own,
 * so Ctrl-C or the death of this process does not end it. Throws `CannotStart` with the server's last log lines if it does not start.
 */
export async function startLocalPostgres(home: string, flags: string[] = []): Promise<LocalPostgres> {
  mkdirSync(home, { recursive: true, mode: 0o755 });
  const dataFolder = enterableFolder(home);
  const password = keptSecret(join(home, "postgres-password"));
  const running = await adopt(dataFolder, password);
  if (running) return attend(running, home, dataFolder);

  const account = postgresAccount();
  const binaries = await locateBinaries();
  if (!existsSync(join(dataFolder, "PG_VERSION"))) initialise(binaries.initdb, { dataFolder, password, account });
  noteMovedFolder(home, dataFolder);
  const port = await freePort();
  const logFile = join(home, "postgres.log");
  // The log contains failed statements with their values.
  const output = openSync(logFile, "a", 0o600);
  chmodSync(logFile, 0o600);
  const options = [
    "-D",
    dataFolder,
    "-p",
    String(port),
    ...["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=300", ...flags].flatMap((flag) => ["-c", flag]),
  ];
  const server = spawn(binaries.postgres, options, { ...account, detached: true, stdio: ["ignore", output, output] });
  let ended = false;
  server.once("exit", () => {
    ended = true;
  });
  server.unref();
  const url = urlFor(port, password);
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await isReady(url))) {
    if (ended || Date.now() > deadline) throw new CannotStart(`PostgreSQL did not start: ${lastLogLines(logFile)}`);
    await wait(50);
  }
  return attend(url, home, dataFolder);
}

const urlFor = (port: number, password: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;

/** Returns the URL of a server that a killed run left behind. It is ours only if it reports our data folder and the folder still exists. */
async function adopt(dataFolder: string, password: string): Promise<string | undefined> {
  const port = Number(readPidFile(dataFolder)[3]);
  if (!port) return undefined;
  const url = urlFor(port, password);
  const folder = await ask(url, "select current_setting('data_directory') as answer");
  return folder !== undefined && resolve(folder) === resolve(dataFolder) && existsSync(join(dataFolder, "PG_VERSION")) ? url : undefined;
}

const isReady = async (url: string) => (await ask(url, "select 'yes' as answer")) !== undefined;

async function ask(url: string, question: string): Promise<string | undefined> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await client.unsafe<{ answer: string }[]>(question);
    return row?.answer;
  } catch {
    // No server answers, or it refuses our password: no server of ours runs there.
    return undefined;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** Returns the lines of postmaster.pid: process id, data folder, start time, port, … Returns none when no server runs. */
function readPidFile(dataFolder: string): string[] {
  const file = join(dataFolder, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/** Keeps one connection open while this process needs the server, so that another process that wants to stop it sees it in use. */
async function attend(url: string, home: string, dataFolder: string): Promise<LocalPostgres> {
  const presence = postgres(url, { max: 1, idle_timeout: 0, max_lifetime: null, onnotice: () => {} });
  const serviceUrl = await ensureServiceRole(presence, url, keptSecret(join(home, "postgres-service-password")));
  const stop = async () => {
    const [row] = await presence<{ others: string }[]>`
      select count(*)::text as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`;
    await presence.end({ timeout: 1 });
    if (row?.others === "0") await stopServer(dataFolder);
  };
  return { url, serviceUrl, stop };
}

async function stopServer(dataFolder: string): Promise<void> {
  const pid = Number(readPidFile(dataFolder)[0]);
  if (!pid) return;
  try {
    // SIGINT is a "fast shutdown": it ends all sessions and writes everything to disk.
    process.kill(pid, "SIGINT");
    while (process.kill(pid, 0)) await wait(20);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const lastLogLines = (logFile: string) => readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" ");

/** Returns a TCP port of 127.0.0.1 that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((done, fail) => {
    const probe = createServer();
    probe.once("error", fail);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => (address && typeof address === "object" ? done(address.port) : fail(new Error("no port"))));
    });
  });
}
