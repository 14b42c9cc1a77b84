import type { BytesARow } from "./grow-bytes.ts";
import { BUSY_STATEMENT } from "./grow-pages.ts";
import { type Compared, twoDigits } from "./grow-requests.ts";
import { BASELINE } from "./grow-sweeps.ts";

/** The target: with many rows a request may cost at most this many times as much as with few. */
const AIM = 1.2;
/** A difference below this many milliseconds counts as noise. */
const LEAST_DIFFERENCE_MS = 0.2;

/** All that was measured at one size. */
export interface AtSize {
  size: number;
  compared: Compared[];
  /** Milliseconds of a round of each sweep with nothing due. */
  idleSweeps: Map<string, number>;
  /** The fill's bytes of a row, of those that this size added. */
  filled: BytesARow[];
}

/** Prints what was measured at a size. */
export function printSize({ size, compared, idleSweeps, filled }: AtSize): void {
  console.log(`\nWith ${size} rows:`);
  console.table(
    compared.map(({ name, few, many, ratio, load }) => ({
      ...{ name, "few ms": few, "many ms": many, ratio: twoDigits(ratio) },
      ...(load && {
        "few/s": load.few,
        "many/s": load.many,
        "ratio/s": twoDigits(load.ratio),
        "few p99": load.fewP99Ms,
        "many p99": load.manyP99Ms,
      }),
      ...(load && load.failed > 0 && { failed: load.failed }),
    })),
  );
  console.log(
    "ms: one request at a time, of both in turn; /s: through 16 connections; ratios: the cost of many as a multiple of that of few",
  );
  console.table([...idleSweeps].map(([sweep, ms]) => ({ "sweep with nothing due": sweep, ms })));
  printBytes(
    "Bytes on disk of a link and a purchase of the fill, of the rows that this size added (some lie in the space of dead rows)",
    filled,
  );
}

/** Prints a title, and bytes of each relation and of all. */
export function printBytes(title: string, bytes: BytesARow[]): void {
  const sum = (of: (row: BytesARow) => number) => bytes.reduce((total, row) => total + of(row), 0);
  console.log(`\n${title}:`);
  console.table([
    ...bytes,
    { relation: "all", table: sum(({ table }) => table), indexes: sum(({ indexes }) => indexes), both: sum(({ both }) => both) },
  ]);
}

/** Prints the ratios of all sizes beside each other, and a line for each aim that is missed. */
export function printGrowth(sizes: AtSize[]): void {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (!first || !last) return;
  const rows = last.compared.map((row) => {
    const ratioAt = ({ compared }: AtSize) => compared.find(({ name }) => name === row.name)?.ratio ?? Number.NaN;
    const ratios = sizes.map((each): [string, number] => [`many / few at ${each.size}`, twoDigits(ratioAt(each))]);
    const load = row.load && { "under load": twoDigits(row.load.ratio) };
    return { name: row.name, ...Object.fromEntries(ratios), ...load, drift: twoDigits(driftOf(first, row)) };
  });
  console.table(rows);
  console.log(
    `many / few: what a thing costs the merchant with many rows, as a multiple of the cost for the merchant with few (aim: ${AIM})`,
  );
  console.log(
    `drift: what it costs the merchant with few rows at ${last.size}, as a multiple of its cost at ${first.size}, both counted in baselines of the same minute: growth of the whole database`,
  );
  const idle = [...last.idleSweeps].map(([sweep, ms]) => {
    const atSizes = sizes.map(({ size, idleSweeps }): [string, number] => [`ms at ${size}`, idleSweeps.get(sweep) ?? Number.NaN]);
    const before = first.idleSweeps.get(sweep) ?? Number.NaN;
    return { sweep, ...Object.fromEntries(atSizes), "last / first": twoDigits(ms / before) };
  });
  console.table(idle);
  for (const line of [...missedOf(last.compared), ...grownOf(first, last), ...missedSweeps(first, last)]) console.log(line);
}

/** Ratios of baselines show the noise of the run. */
const hasAim = ({ name }: Compared) => name !== BUSY_STATEMENT && !name.includes("baseline: ");

function missedOf(compared: Compared[]): string[] {
  const aimed = compared.filter(hasAim);
  return [
    ...aimed
      .filter(({ ratio, few, many }) => ratio > AIM && many - few > LEAST_DIFFERENCE_MS)
      .map(({ name, ratio }) => `missed: ${name} costs ${twoDigits(ratio)} times as much with many rows (aim: ${AIM})`),
    ...aimed
      .filter(({ load }) => (load?.ratio ?? 0) > AIM)
      .map(
        ({ name, load }) => `missed under load: ${name} costs ${twoDigits(load?.ratio ?? 0)} times as much with many rows (aim: ${AIM})`,
      ),
  ];
}

/** Returns how much more the merchant with few rows costs than at the first size. Each cost is measured in baselines of its own rounds. */
function driftOf(first: AtSize, row: Compared): number {
  const before = first.compared.find(({ name }) => name === row.name) ?? row;
  return row.ofBaseline / before.ofBaseline;
}

/** Returns the requests that became slower for the merchant with few rows: their cost grows with the whole database. */
const grownOf = (first: AtSize, { compared }: AtSize): string[] =>
  compared
    .map((row) => ({ ...row, drift: driftOf(first, row) }))
    .filter((row) => hasAim(row) && row.drift > AIM && row.few - row.few / row.drift > LEAST_DIFFERENCE_MS)
    .map(({ name, drift }) => `drift: ${name} costs the merchant with few rows ${twoDigits(drift)} times as much as at the first size`);

/** Idle sweeps look at all merchants, so they are compared with themselves at the first size. The baseline says how much slower the machine is. */
function missedSweeps({ idleSweeps: before }: AtSize, { idleSweeps: after }: AtSize): string[] {
  const machine = Math.max(1, (after.get(BASELINE) ?? 1) / (before.get(BASELINE) ?? 1));
  return [...after].flatMap(([sweep, ms]) => {
    const allowed = (before.get(sweep) ?? ms) * AIM * machine;
    if (ms <= allowed || ms - allowed < LEAST_DIFFERENCE_MS) return [];
    return [`missed: the sweep "${sweep}" takes ${ms} ms with nothing due, ${before.get(sweep)} ms at the first size (aim: ${AIM})`];
  });
}
