import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chownSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import postgres from "postgres";
import { freePort } from "../../server/embedded-postgres.ts";
import { ensureDatabase, ensureServiceRole } from "../../server/postgres-databases.ts";
import { enterableFolder, initialise, locateBinaries, postgresAccount, SUPERUSER } from "../../server/postgres-files.ts";
import { childrenOf, HOME, isAlive, kill } from "../crash/processes.ts";
import { type Network, startNetwork } from "../network/proxy.ts";
import { until } from "../until.ts";

const STANDBY = "standby";
const READY_WITHIN_MS = 30_000;
const MB = 1024 * 1024;
/** Room for an empty database and some minutes of load. */
const SMALL_DISK_MB = 400;

/** A PostgreSQL server with durability as in production, behind a network of its own. */
class Server {
  readonly name: string;
  readonly home: string;
  readonly folder: string;
  readonly password: string;
  port = 0;
  network: Network | undefined;
  /** The network between the server and its standby. */
  replication: Network | undefined;
  #child: ChildProcess | undefined;
  #killed: number[] = [];

  constructor(name: string, password: string, { isOnSmallDisk = false } = {}) {
    this.name = name;
    this.password = password;
    this.home = join(HOME, name);
    mkdirSync(this.home, { recursive: true });
    this.folder = enterableFolder(this.home);
    if (isOnSmallDisk) mountSmallDisk(this.folder);
  }

  get url(): string {
    return `postgres://${SUPERUSER}:${this.password}@127.0.0.1:${this.port}/postgres`;
  }

  async start(): Promise<void> {
    const { postgres: binary } = await locateBinaries();
    this.port = await freePort();
    // A standby that was cut off comes back within seconds: with the defaults commits wait a minute for it.
    const timeouts = ["wal_sender_timeout=5s", "wal_receiver_timeout=5s"];
    const flags = [
      ...timeouts,
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      "max_connections=100",
      "wal_keep_size=128MB",
      "max_wal_size=128MB",
    ];
    const output = openSync(join(HOME, `${this.name}.log`), "a", 0o600);
    this.#child = spawn(binary, ["-D", this.folder, "-p", String(this.port), ...flags.flatMap((flag) => ["-c", flag])], {
      ...postgresAccount(),
      stdio: ["ignore", output, output],
    });
    await until(async () => (await ask(this.url, "select true as answer")) === true, READY_WITHIN_MS);
    const target = () => ({ host: "127.0.0.1", port: this.port });
    this.network ??= await startNetwork(target);
    this.replication ??= await startNetwork(target);
  }

  /** Kills the server and all its backends at once, as the loss of its machine does. */
  async kill(): Promise<void> {
    const pid = this.#child?.pid;
    if (!pid) return;
    this.#killed = [pid, ...childrenOf(pid)];
    for (const each of this.#killed) kill(each);
    await until(async () => !this.#killed.some(isAlive));
  }

  /** Stops the server as an operator does ("fast"): it ends all sessions and sends its standby everything. */
  async stop(): Promise<void> {
    const pid = this.#child?.pid;
    if (!pid) return;
    kill(pid, "SIGINT");
    await until(async () => !isAlive(pid) || this.#child?.exitCode !== null, READY_WITHIN_MS);
  }
}

function mountSmallDisk(folder: string): void {
  const { uid = process.getuid?.(), gid = process.getgid?.() } = postgresAccount();
  const options = `size=${SMALL_DISK_MB}m,mode=0700,uid=${uid},gid=${gid}`;
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder], { encoding: "utf8" });
  if (mounted.status !== 0) throw new CannotMount(mounted.stderr || "mount is missing");
}

/** Thrown if this machine does not allow mounting a small disk. */
export class CannotMount extends Error {
  override name = "CannotMount";
}

async function ask(url: string, question: string): Promise<unknown> {
  const client = postgres(url, { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await client.unsafe<{ answer: unknown }[]>(question);
    return row?.answer;
  } catch {
    // The server starts, stops or is down.
    return undefined;
  } finally {
    await client.end({ timeout: 1 });
  }
}

/** A primary and its synchronous standby. An acknowledged commit is on both. */
export class Cluster {
  readonly primary: Server;
  readonly standby: Server;
  #database = "";
  #servicePassword = randomBytes(24).toString("hex");

  constructor({ hasSmallDisk }: { hasSmallDisk: boolean }) {
    const password = randomBytes(24).toString("hex");
    this.primary = new Server("primary", password, { isOnSmallDisk: hasSmallDisk });
    this.standby = new Server("standby", password);
  }

  async build(): Promise<void> {
    const { initdb } = await locateBinaries();
    const { folder: dataFolder, password } = this.primary;
    initialise(initdb, { dataFolder, password, account: postgresAccount() });
    await this.primary.start();
    const client = postgres(this.primary.url, { max: 1, onnotice: () => {} });
    const serviceUrl = await ensureServiceRole(client, this.primary.url, this.#servicePassword);
    this.#database = `oja_failover_${randomBytes(4).toString("hex")}`;
    await ensureDatabase({ url: this.primary.url, serviceUrl }, this.#database);
    await this.#copyToStandby(client);
    await this.standby.start();
    await client.unsafe(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await client`select pg_reload_conf()`;
    await until(async () => (await client`select from pg_stat_replication where sync_state = 'sync'`).length === 1, READY_WITHIN_MS);
    await client.end();
  }

  /** Copies the data folder, which is a sound copy between the start and the stop of a backup. The built-in package has no pg_basebackup. */
  async #copyToStandby(client: postgres.Sql): Promise<void> {
    const { folder, password } = this.standby;
    await client`select pg_backup_start('standby', true)`;
    const copied = spawnSync("cp", ["-a", `${this.primary.folder}/.`, folder], { encoding: "utf8" });
    if (copied.status !== 0) throw new Error(copied.stderr);
    const [backup] = await client<{ labelfile: string }[]>`select labelfile from pg_backup_stop(true)`;
    rmSync(join(folder, "postmaster.pid"));
    const from = `host=127.0.0.1 port=${this.primary.replication?.port} user=${SUPERUSER} password=${password} application_name=${STANDBY} connect_timeout=3`;
    this.#write("backup_label", backup?.labelfile ?? "");
    this.#write("standby.signal", "");
    this.#write("postgresql.auto.conf", `primary_conninfo = '${from}'\n`);
  }

  #write(name: string, text: string): void {
    const file = join(this.standby.folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    const { uid, gid } = postgresAccount();
    if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
  }

  /** Returns the URL of the database with both hosts, each behind its network. */
  get url(): string {
    const hosts = [this.primary, this.standby].map(({ network }) => `127.0.0.1:${network?.port}`);
    return this.#urlOf(hosts.join(","));
  }

  /** Returns the URL of the database on one server, past its network. */
  directUrl(server: Server): string {
    return this.#urlOf(`127.0.0.1:${server.port}`);
  }

  #urlOf(hosts: string): string {
    return `postgres://oja_service:${this.#servicePassword}@${hosts}/${this.#database}?target_session_attrs=primary`;
  }

  async promote(): Promise<void> {
    const promoted = await ask(this.standby.url, "select pg_promote(true, 30) as answer");
    if (promoted !== true) throw new Error("the standby was not promoted");
  }

  /** Fills the disk of the primary. Returns once the server cannot write any more, or has crashed. */
  async fillDisk(): Promise<void> {
    const file = openSync(join(this.primary.folder, "filler"), "w");
    const chunk = Buffer.alloc(MB);
    for (;;) {
      try {
        writeSync(file, chunk);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        break;
      }
    }
    if (statfsSync(this.primary.folder).bavail > 256) throw new Error("the disk is not full");
    closeSync(file);
    const write = "create table filler as select repeat('x', 1000) from generate_series(1, 100000); select true as answer";
    await until(async () => (await ask(this.primary.url, write)) !== true, READY_WITHIN_MS);
  }

  async end({ keep }: { keep: boolean }): Promise<void> {
    for (const server of [this.primary, this.standby]) {
      await server.kill();
      spawnSync("umount", [server.folder]);
      if (!keep && existsSync(server.folder)) rmSync(server.folder, { recursive: true, force: true });
    }
    if (keep) console.log(`Logs are in ${HOME}`);
    else rmSync(HOME, { recursive: true, force: true });
  }
}
