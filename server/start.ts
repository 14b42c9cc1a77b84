import { type ChildProcess, fork } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { closeDatabase } from "#db/client.ts";
import { migrate } from "#db/migrate.ts";
import { hostsOf } from "#db/primary.ts";
import { BadSettings, readSetting, readSettings, settings } from "#lib/env.ts";
import { describeError } from "#lib/log.ts";
import { requireKnownProviders } from "#services/providers/index.ts";
import { buildIfStale } from "../scripts/build.ts";
import { CannotStart } from "./cannot-start.ts";
import { describeStart } from "./describe-start.ts";
import { type BuiltIn, prepareEnvironment, ROOT } from "./runtime.ts";
import { seedDemo } from "./seed-demo.ts";

const PID_FILE = join(ROOT, ".data", "oja.pid");
const READY_WITHIN_MS = 60_000;
const STOP_WITHIN_MS = 12_000;

const children: ChildProcess[] = [];
let builtIn: BuiltIn;
const stopping = new AbortController();
let ownsPidFile = false;

async function start(): Promise<void> {
  const { env } = process;
  Object.assign(env, { NODE_ENV: "production" });
  env.WEB_CONCURRENCY ||= String(availableParallelism());
  refuseSecondStart();
  const hadDatabase = readSetting("DATABASE_URL") !== undefined;
  builtIn = await prepareEnvironment();
  if (builtIn) env.OJA_DEMO ||= "1";
  const { PORT } = readSettings(env);
  requireKnownProviders();
  await refuseBusyPort(PORT);
  writePidFile();
  await migrateOrExplain(hadDatabase);
  console.log("Building, if something has changed …");
  await buildIfStale(stopping.signal);
  if (stopping.signal.aborted) return;
  supervise("server/web.ts");
  supervise("worker/main.ts");
  await ready();
  if (stopping.signal.aborted) return;
  // The demo is seeded last, because its secrets are shown once, and a start that fails later would lose them.
  console.log(describeStart(settings(), await seedDemo()));
  await closeDatabase();
}

function refuseSecondStart(): void {
  const pid = existsSync(PID_FILE) ? Number(readFileSync(PID_FILE, "utf8")) : 0;
  if (pid && pid !== process.pid && isOja(pid))
    throw new CannotStart(`Oja already runs from this folder (process ${pid}). Stop that one first.`);
}

function isOja(pid: number): boolean {
  try {
    process.kill(pid, 0);
    const commandLine = `/proc/${pid}/cmdline`;
    return !existsSync(commandLine) || readFileSync(commandLine, "utf8").includes("server/start.ts");
  } catch {
    // There is no process with this id: a killed run left the file.
    return false;
  }
}

function writePidFile(): void {
  if (!existsSync(join(ROOT, ".data"))) return;
  writeFileSync(PID_FILE, String(process.pid));
  ownsPidFile = true;
}

async function refuseBusyPort(port: number): Promise<void> {
  // A run that was killed a moment ago may not have released the port yet.
  for (let attempt = 0; attempt < 20; attempt++) {
    if (await isFree(port)) return;
    await wait(250);
  }
  throw new CannotStart(`Port ${port} is in use. Stop what uses it, or choose another: PORT=3001 npm start`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const probe = createServer();
    probe.once("error", () => done(false));
    probe.listen(port, () => probe.close(() => done(true)));
  });
}

/** Migrates the database. Explains a failure if the user gave the database. */
async function migrateOrExplain(isGiven: boolean): Promise<void> {
  try {
    await migrate(settings().DATABASE_URL);
  } catch (error) {
    if (!isGiven) throw error;
    const hosts = hostsOf(settings().DATABASE_URL).map(({ host, port }) => `${host}:${port}`);
    const where = hosts.length > 0 ? hosts.join(" or ") : "the address of PostgreSQL's own settings";
    const reason = error instanceof Error ? error.message || (error as NodeJS.ErrnoException).code : String(error);
    const aboutTls = settings().DATABASE_URL.includes("sslmode=require") ? " TLS was asked for; sslmode=disable in it turns that off." : "";
    throw new CannotStart(`The database at ${where} cannot be used: ${reason}. Check DATABASE_URL.${aboutTls}`);
  }
}

/** Keeps a process running: starts it again 1 s after it ends by itself. */
function supervise(script: string): void {
  const child = fork(join(ROOT, script), { cwd: ROOT, stdio: ["ignore", "inherit", "inherit", "ipc"] });
  children.push(child);
  child.once("exit", (code) => {
    children.splice(children.indexOf(child), 1);
    if (stopping.signal.aborted) return;
    console.error(`${script} ended (${code}); it starts again.`);
    setTimeout(() => (stopping.signal.aborted ? undefined : supervise(script)), 1_000);
  });
}

async function ready(): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  const url = `http://127.0.0.1:${settings().PORT}/health`;
  while (Date.now() < deadline && !stopping.signal.aborted) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await wait(100);
  }
  if (stopping.signal.aborted) return;
  throw new CannotStart(`The web processes did not answer at ${url} within a minute; see the log above.`);
}

let stopped: Promise<void> | undefined;

async function stop(exitCode: number): Promise<never> {
  stopping.abort();
  stopped ??= stopAll();
  await stopped;
  process.exit(exitCode);
}

async function stopAll(): Promise<void> {
  const ends = children.map((child) => new Promise((done) => child.once("exit", done)));
  for (const child of children) child.kill("SIGTERM");
  await Promise.race([Promise.all(ends), wait(STOP_WITHIN_MS)]);
  for (const child of children) child.kill("SIGKILL");
  await closeDatabase();
  await builtIn?.stop();
  if (ownsPidFile) rmSync(PID_FILE, { force: true });
}

process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
// Stops when its terminal is closed. A process that was started without a terminal, for example by nohup, goes on.
if (process.stdin.isTTY) process.on("SIGHUP", () => void stop(0));

try {
  await start();
} catch (error) {
  if (stopping.signal.aborted) await stop(0);
  const isCorrectable = error instanceof CannotStart || error instanceof BadSettings;
  console.error(isCorrectable ? error.message : describeError(error));
  await stop(1);
}
