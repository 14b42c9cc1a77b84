import { readLong } from "#db/client.ts";
import { measureBackup } from "./grow-backup.ts";
import { bytesARow, measureRealBytes, readSizes } from "./grow-bytes.ts";
import { aGrower, countsOf, type Era, erasOf, type Grower, grow } from "./grow-merchants.ts";
import { comparePages } from "./grow-pages.ts";
import { type AtSize, printBytes, printGrowth, printSize } from "./grow-report.ts";
import { compareRequestsOf, type Pair } from "./grow-requests.ts";
import { compareDueSweeps, finishDueWork, measureIdleSweeps } from "./grow-sweeps.ts";
import { sellAirtime } from "./purchases.ts";

const FEW_ROWS = 10_000;
const REAL_ROWS = 20_000;

interface Options {
  url: string;
  /** The sizes of the growing merchant, one after the other: so many links, and as many purchases. */
  sizes: number[];
  seconds: number;
  rounds: number;
  postgres: { url: string; serviceUrl: string };
  databaseUrl: string;
  /** A folder with PostgreSQL's client programs. Without one, no backup is measured. */
  tools: string | undefined;
  /** A folder for backups. */
  folder: string;
}

/**
 * Measures the cost of requests, pages and sweeps for a merchant that grows and for one that stays small, in one database. Before that, the bytes of
 * real links and purchases; after it, backups.
 */
export async function measureGrowth(options: Options): Promise<void> {
  const { url, sizes, postgres, databaseUrl, tools, folder } = options;
  await sellAirtime();
  const pair: Pair = { few: await aGrower("few"), many: await aGrower("many") };
  const real = await aGrower("real");
  await printRealBytes(url, real, Math.min(REAL_ROWS, sizes.at(-1) ?? REAL_ROWS));
  const steps = erasOf(sizes);
  const all: AtSize[] = [];
  for (const { size, era } of steps) {
    if (all.length === 0) await grow(pair.few, Math.min(FEW_ROWS, size), era);
    await finishDueWork([pair.few, pair.many]);
    const [before, had] = [await readSizes(), pair.many.rows];
    await grow(pair.many, size, era);
    const filled = bytesARow(before, await readSizes(), size - had);
    const atSize = await measureAt(options, pair, { size, era, filled });
    printSize(atSize);
    all.push(atSize);
  }
  printGrowth(all);
  if (tools === undefined) console.log("backup and restore skipped: name a folder with PostgreSQL's client programs (--tools FOLDER)");
  else await measureBackup({ postgres, databaseUrl, tools, folder, sampleId: real.merchantId });
}

/** Runs before all growth, because these rows would otherwise reuse the space of dead rows, and so seem to take none. */
async function printRealBytes(url: string, real: Grower, count: number): Promise<void> {
  for (const { name, bytes } of await measureRealBytes(url, real, count)) {
    printBytes(`Bytes on disk of ${name}, of ${count} that were made over HTTP, with all rows of all tables`, bytes);
  }
}

async function measureAt(
  { url, seconds, rounds }: Options,
  pair: Pair,
  { size, era, filled }: { size: number; era: Era; filled: AtSize["filled"] },
): Promise<AtSize> {
  for (const grower of [pair.few, pair.many]) console.log(await countsOf(grower));
  const requests = await compareRequestsOf(url, pair, { seconds, rounds });
  const pages = await comparePages(url, pair, era);
  await finishDueWork([pair.few, pair.many]);
  await readLong((client) => client.unsafe("vacuum analyze"));
  const idleSweeps = await measureIdleSweeps();
  const dueSweeps = await compareDueSweeps(pair);
  return { size, compared: [...requests, ...pages, ...dueSweeps], idleSweeps, filled };
}
