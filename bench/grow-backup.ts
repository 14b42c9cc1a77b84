import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { connect, LONG_READ_WITHIN_S, type Sql } from "#db/client.ts";
import { findBrokenInvariants } from "#db/invariants.ts";
import { ensureDatabase } from "../server/postgres-databases.ts";
import { dropDatabase } from "./databases.ts";
import { twoDigits } from "./grow-requests.ts";

const JOBS = "2";
const GIB = 2 ** 30;

/** A backup takes less than this share of the database, and a restore as much as the database. */
const BACKUP_SHARE = 0.5;
const RESTORE_SHARE = 1.1;

interface Options {
  /** The server, for its superuser and for the service. */
  postgres: { url: string; serviceUrl: string };
  /** The URL of the database that is backed up. */
  databaseUrl: string;
  /** A folder with `pg_dump`, `pg_restore` and `pg_basebackup`. */
  tools: string;
  /** A folder for the backups. It is removed. */
  folder: string;
  /** The merchant whose books are checked in the restored database. */
  sampleId: string;
}

interface Step {
  step: string;
  seconds: number;
  gib: number;
}

/** Measures backups of the database, and the restore of one into a second database, which must have the same rows and sound books. */
export async function measureBackup(options: Options): Promise<void> {
  const { postgres, databaseUrl, folder } = options;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { sql, size, counts } = await lookAt(databaseUrl);
  await sql.end();
  const steps: Step[] = [{ step: "the database", seconds: 0, gib: twoDigits(size / GIB) }];
  const second = `oja_bench_restored_${Date.now()}`;
  try {
    const dump = join(folder, "dump");
    if (hasRoom(folder, size * BACKUP_SHARE, "pg_dump"))
      steps.push(await timed(options, `pg_dump -Fd -j ${JOBS}`, ["pg_dump", "-Fd", "-j", JOBS, "-f", dump, databaseUrl], dump));
    await takeBaseBackup(options, steps, size);
    if (existsSync(dump) && (await makeRoom(options, size * RESTORE_SHARE))) {
      const url = await ensureDatabase(postgres, second);
      const restore = ["pg_restore", "-Fd", "-j", JOBS, "--no-owner", "--no-privileges", "-d", url, dump];
      steps.push(await timed(options, `pg_restore -j ${JOBS}, with its indexes`, restore));
      await checkRestored(url, counts, options.sampleId, steps);
    }
    console.table(steps);
  } finally {
    await dropDatabase(postgres.url, second);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns whether the disk has room for the restored database. Drops the database that was backed up where only that makes room. */
async function makeRoom({ postgres, databaseUrl, folder }: Options, bytes: number): Promise<boolean> {
  if (hasRoom(folder, bytes, "the restore beside the database")) return true;
  await dropDatabase(postgres.url, new URL(databaseUrl).pathname.slice(1));
  console.log("the database that was backed up is dropped, to make room");
  return hasRoom(folder, bytes, "the restore");
}

/** Takes a base backup: a copy of the server's files, with all its databases. */
async function takeBaseBackup(options: Options, steps: Step[], size: number): Promise<void> {
  const { folder, tools, postgres } = options;
  if (!existsSync(join(tools, "pg_basebackup")) || !hasRoom(folder, size * BACKUP_SHARE, "pg_basebackup")) return;
  const copy = join(folder, "base");
  const args = ["pg_basebackup", "-d", postgres.url, "-D", copy, "-Ft", "--compress=client-gzip:1", "-c", "fast", "-X", "stream"];
  steps.push(await timed(options, "pg_basebackup -Ft, gzip 1 (all databases of the server)", args, copy));
  rmSync(copy, { recursive: true, force: true });
}

/** Runs a tool. Throws where it fails. Returns its time, and the size of the folder that it wrote. */
async function timed({ tools }: Options, step: string, [tool = "", ...args]: string[], written?: string): Promise<Step> {
  const startedAt = performance.now();
  const child = spawn(join(tools, tool), args, { stdio: ["ignore", "inherit", "inherit"] });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${tool} ended with ${code}`);
  return { step, seconds: twoDigits((performance.now() - startedAt) / 1_000), gib: written ? twoDigits(bytesIn(written) / GIB) : 0 };
}

async function checkRestored(url: string, counts: Map<string, bigint>, sampleId: string, steps: Step[]): Promise<void> {
  const startedAt = performance.now();
  const { sql: analysed } = connect(url, { max: 1, withinS: LONG_READ_WITHIN_S });
  await analysed.unsafe("analyze");
  await analysed.end();
  steps.push({ step: "analyze of the restored database", seconds: twoDigits((performance.now() - startedAt) / 1_000), gib: 0 });
  const { sql, size, counts: restored } = await lookAt(url);
  steps.push({ step: "the restored database", seconds: 0, gib: twoDigits(size / GIB) });
  const missing = [...counts].filter(([table, rows]) => restored.get(table) !== rows).map(([table]) => table);
  const broken = await findBrokenInvariants(sql, { merchantId: sampleId });
  await sql.end();
  if (missing.length > 0) throw new Error(`restored with other counts: ${missing.join(", ")}`);
  if (broken.length > 0) throw new Error(`restored with broken books: ${broken.map(({ name }) => name).join("; ")}`);
  console.log(`restored: ${counts.size} tables have the same counts, and the books of one merchant are sound`);
}

/** Returns a connection to a database, its bytes and the rows of each table. */
async function lookAt(url: string): Promise<{ sql: Sql; size: number; counts: Map<string, bigint> }> {
  const { sql } = connect(url, { max: 1, withinS: LONG_READ_WITHIN_S });
  const [row] = await sql<{ size: string }[]>`select pg_database_size(current_database())::text as size`;
  const tables = await sql<{ name: string }[]>`
    select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`;
  const counts = new Map<string, bigint>();
  for (const { name } of tables)
    counts.set(name, (await sql.unsafe<{ rows: bigint }[]>(`select count(*) as rows from "${name}"`))[0]?.rows ?? 0n);
  return { sql, size: Number(row?.size), counts };
}

/** Returns whether the disk has room, and prints a line where it has not. */
function hasRoom(folder: string, bytes: number, step: string): boolean {
  const { bavail, bsize } = statfsSync(folder);
  if (bavail * bsize > bytes) return true;
  console.log(`${step} skipped: it needs up to ${twoDigits(bytes / GIB)} GiB, and ${twoDigits((bavail * bsize) / GIB)} GiB are free`);
  return false;
}

const bytesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
