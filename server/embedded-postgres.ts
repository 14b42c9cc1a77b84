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
  /** Of the maintenance database `postgres`, as the server's superuser. */
  url: string;
  /** As the role that owns the service's databases and nothing else. */
  serviceUrl: string;
  /** Stops the server, whoever started it, unless somebody else is using it. */
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 60_000;

/**
 * Starts a real PostgreSQL with its data under `home`, or adopts the one that already runs there. It has a session of its own:
 * a Ctrl-C or the death of this process does not reach it. Throws when it does not start, with the server's own last words.
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
  // It holds statements that failed, and their values.
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
  while (!(await answers(url))) {
    if (ended || Date.now() > deadline) throw new CannotStart(`PostgreSQL did not start: ${lastWords(logFile)}`);
    await wait(50);
  }
  return attend(url, home, dataFolder);
}

const urlFor = (port: number, password: string) => `postgres://${SUPERUSER}:${password}@127.0.0.1:${port}/postgres`;

/** A server that a killed run left behind is ours only if it says that its data folder is ours, and the folder still exists. */
async function adopt(dataFolder: string, password: string): Promise<string | undefined> {
  const port = Number(readPidFile(dataFolder)[3]);
  if (!port) return undefined;
  const url = urlFor(port, password);
  const folder = await ask(url, "select current_setting('data_directory') as answer");
  return folder !== undefined && resolve(folder) === resolve(dataFolder) && existsSync(join(dataFolder, "PG_VERSION")) ? url : undefined;
}

const answers = async (url: string) => (await ask(url, "select 'yes' as answer")) !== undefined;

async function ask(url: string, question: string): Promise<string | undefined> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await client.unsafe<{ answer: string }[]>(question);
    return row?.answer;
  } catch {
    // Nobody answers, or not to our password: whatever is there is not a server of ours that runs.
    return undefined;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** Lines of postmaster.pid: process id, data folder, start time, port, … Empty when no server runs. */
function readPidFile(dataFolder: string): string[] {
  const file = join(dataFolder, "postmaster.pid");
  return existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
}

/** Keeps one connection for as long as this process needs the server, so that whoever else would stop it sees that it is in use. */
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
    // "Fast shutdown": sessions are ended, everything is written.
    process.kill(pid, "SIGINT");
    while (process.kill(pid, 0)) await wait(20);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

const lastWords = (logFile: string) => readFileSync(logFile, "utf8").trim().split("\n").slice(-3).join(" ");

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
