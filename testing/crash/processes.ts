import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { type LocalPostgres, startLocalPostgres } from "../../server/embedded-postgres.ts";
import { ROOT } from "../../server/runtime.ts";
import { until } from "../until.ts";

/** Of this campaign alone: a server that an earlier one left behind is not ours to kill and collect. */
const HOME = join(ROOT, ".data", "crash", String(process.pid));
const READY_WITHIN_MS = 60_000;

function kill(pid: number, signal: NodeJS.Signals = "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Whether a process still holds anything: one that has ended and was not yet collected does not, unless it is ours to collect. */
function isThere(pid: number): boolean {
  const stat = join("/proc", String(pid), "stat");
  if (!existsSync(stat)) return false;
  const [state, parent] = readStat(stat).split(") ").at(-1)?.split(" ") ?? [];
  return state !== "Z" || Number(parent) === process.pid;
}

/** Children of a process, by /proc: this is a tool for Linux, where the product runs. */
function childrenOf(pid: number): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      const stat = join("/proc", name, "stat");
      // After the name, which may hold anything, come state and parent.
      return existsSync(stat) && Number(readStat(stat).split(") ").at(-1)?.split(" ")[1]) === pid;
    })
    .map(Number);
}

function readStat(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It ended between the listing and the look.
    return "";
  }
}

/** Processes that stand still, as on a machine that swaps or is moved. */
export async function pauseAll(pids: number[], ms: number): Promise<void> {
  for (const pid of pids) kill(pid, "SIGSTOP");
  await wait(ms);
  for (const pid of pids) kill(pid, "SIGCONT");
}

/** PostgreSQL with durability as in production, which may be killed and comes back with what it had committed. */
export class PostgresServer {
  #server: LocalPostgres | undefined;
  #pid = 0;
  #killed: number[] = [];

  async start(): Promise<void> {
    await until(async () => !this.#killed.some(isThere));
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

  /** The postmaster and all its backends at once. What the kernel had taken is written; whether it was flushed is not tried here. */
  kill(): void {
    this.#killed = [this.#pid, ...childrenOf(this.#pid)];
    for (const pid of this.#killed) kill(pid);
  }

  /** For good. Data and logs stay where there is something to look into. */
  async end({ keep }: { keep: boolean }): Promise<void> {
    this.kill();
    await until(async () => !this.#killed.some(isThere));
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
  /** What a process does only when it is broken. It is started again, as `npm start` would. */
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
    await until(async () => this.#isConnected && (await this.#service.isReady()), READY_WITHIN_MS);
  }

  /** It has come so far that it asks the database. */
  noteConnection(): void {
    this.#isConnected = true;
  }

  /** It and what it has forked. */
  kill(): void {
    if (this.#child) this.#expectedToEnd.add(this.#child);
    const pid = this.#child?.pid;
    if (pid) for (const each of [pid, ...childrenOf(pid)]) kill(each);
  }

  /** Stands still for so long, with what it has forked, and goes on where it was. */
  async pause(ms: number): Promise<void> {
    const pid = this.#child?.pid;
    if (pid) await pauseAll([pid, ...childrenOf(pid)], ms);
  }

  /** Returns its exit code. */
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
