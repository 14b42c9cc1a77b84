import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { type LocalPostgres, startLocalPostgres } from "../../server/embedded-postgres.ts";
import { ROOT } from "../../server/runtime.ts";
import { until } from "../until.ts";

/** A folder of this campaign alone, because it cannot kill and reap a server that an earlier campaign left behind. */
export const HOME = join(ROOT, ".data", "crash", String(process.pid));
const READY_WITHIN_MS = 60_000;

export function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Returns whether a process may still use its files and ports. A zombie does not, except a child of ours, which must be reaped first. */
export function isAlive(pid: number): boolean {
  const stat = join("/proc", String(pid), "stat");
  if (!existsSync(stat)) return false;
  const [state, parent] = readStat(stat).split(") ").at(-1)?.split(" ") ?? [];
  return state !== "Z" || Number(parent) === process.pid;
}

/** Returns the children of a process. Reads /proc, so a campaign runs on Linux alone. */
export function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const stat = join("/proc", name, "stat");
      // State and parent follow the name, which may contain any character.
      return existsSync(stat) && Number(readStat(stat).split(") ").at(-1)?.split(" ")[1]) === pid;
    })
    .map(Number);
}

function readStat(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process ended after the listing.
    return "";
  }
}

/** Stops processes for `ms` and continues them, as a machine does that swaps or is migrated. */
export async function pauseAll(pids: number[], ms: number): Promise<void> {
  for (const pid of pids) kill(pid, "SIGSTOP");
  await wait(ms);
  for (const pid of pids) kill(pid, "SIGCONT");
}

/** A PostgreSQL server with durability as in production. After a kill it starts again with all commits. */
export class PostgresServer {
  #server: LocalPostgres | undefined;
  #pid = 0;
  #killed: number[] = [];

  async start(): Promise<void> {
    await until(async () => !this.#killed.some(isAlive));
    this.#server = await startLocalPostgres(HOME, ["max_connections=100"]);
    const client = postgres(this.#server.url, { max: 1 });
    const [row] = await client<{ folder: string }[]>`select current_setting('data_directory') as folder`;
    await client.end();
    this.#pid = Number(readFileSync(join(row?.folder ?? "", "postmaster.pid"), "utf8").split("\n")[0]);
  }

  get server(): LocalPostgres {
    if (!this.#server) throw new Error("PostgreSQL is not running");
    return this.#server;
  }

  get port(): number {
    return Number(new URL(this.server.url).port);
  }

  /** Kills the postmaster and all its backends at once. The kernel still writes what it has accepted, so this does not test flushing. */
  kill(): void {
    this.#killed = [this.#pid, ...childrenOf(this.#pid)];
    for (const pid of this.#killed) kill(pid);
  }

  /** Ends the server for good. Keeps its data and logs if `keep`. */
  async end({ keep }: { keep: boolean }): Promise<void> {
    this.kill();
    await until(async () => !this.#killed.some(isAlive));
    if (keep) console.log(`Data and logs are in ${HOME}`);
    else rmSync(HOME, { recursive: true, force: true });
  }
}

interface Service {
  script: string;
  env: Record<string, string>;
  isReady: () => Promise<boolean>;
}

/** A process of the product, started as `npm start` does. */
export class ProductProcess {
  readonly name: string;
  readonly #service: Service;
  #child: ChildProcess | undefined;
  readonly #expectedToEnd = new WeakSet<ChildProcess>();
  #isConnected = false;
  /** Unexpected ends of the process, which are faults. It is started again, as `npm start` does. */
  readonly endedByItself: string[] = [];

  constructor(name: string, service: Service) {
    this.name = name;
    this.#service = service;
  }

  async start(): Promise<void> {
    this.#isConnected = false;
    const output = openSync(join(HOME, `${this.name}.log`), "a");
    this.#child = fork(join(ROOT, this.#service.script), {
      cwd: ROOT,
      env: { ...process.env, ...this.#service.env },
      stdio: ["ignore", output, output, "ipc"],
      execArgv: [],
    });
    const child = this.#child;
    child.once("exit", (code, signal) => {
      if (this.#expectedToEnd.has(child)) return;
      this.endedByItself.push(`${this.name} ended by itself (${signal ?? code})`);
      void this.start();
    });
    // A late connection of the previous process may be recorded too. So the new process must have its own signal handler.
    await until(async () => this.#isConnected && handlesTermination(child.pid) && (await this.#service.isReady()), READY_WITHIN_MS);
  }

  /** Notes that the process has connected to the database. */
  noteConnection(): void {
    this.#isConnected = true;
  }

  /** Kills the process and its children. */
  kill(): void {
    if (this.#child) this.#expectedToEnd.add(this.#child);
    const pid = this.#child?.pid;
    if (pid) for (const each of [pid, ...childrenOf(pid)]) kill(each);
  }

  /** Pauses the process and its children for `ms`. */
  async pause(ms: number): Promise<void> {
    const pid = this.#child?.pid;
    if (pid) await pauseAll([pid, ...childrenOf(pid)], ms);
  }

  /** Stops the process with SIGTERM. Returns its exit code. */
  async stop(): Promise<number | null> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    this.#expectedToEnd.add(child);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    await ended;
    return child.exitCode;
  }
}

const SIGTERM_BIT = 1n << 14n;

/** Returns whether a process has a handler for SIGTERM: before that, the signal ends it at once. */
function handlesTermination(pid: number | undefined): boolean {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return false;
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(status, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & SIGTERM_BIT) !== 0n;
}

const SHOWN_WARNINGS = 20;
/** pino's level of a warning. */
const WARNING = 40;

/** Returns the last warnings and errors of each process, so that a failed campaign on another machine can be explained. */
export const latestWarnings = (): string[] => globSync(join(HOME, "*.log")).flatMap((file) => warningsOf(readFileSync(file, "utf8")));

const warningsOf = (log: string): string[] =>
  log
    .split("\n")
    .filter((line) => Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? 0) >= WARNING)
    .slice(-SHOWN_WARNINGS);
