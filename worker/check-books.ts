import { createHash } from "node:crypto";
import { readLong } from "#db/client.ts";
import { type BrokenInvariant, findBrokenInvariants } from "#db/invariants.ts";
import { log } from "#lib/log.ts";
import { DAY_MS, weekOf } from "#lib/time.ts";
import { alertOperators } from "#services/alerts/index.ts";
import { alertOnDifferences, compareCards } from "#services/cards/index.ts";
import { recordCheck } from "#services/checks/index.ts";
import type { SystemContext } from "#services/context.ts";

/** Checks all invariants. Stores and logs broken ones, and alerts operators. */
export async function checkInvariants(ctx: SystemContext): Promise<void> {
  const since = new Date().getUTCDay() === WHOLE_ON ? undefined : new Date(Date.now() - CAUSES_OF_MS);
  let broken: BrokenInvariant[] = [];
  const run = async () => {
    const rowsRead = await countEntries();
    broken = await readLong((sql) => findBrokenInvariants(sql, { since }));
    return { rowsRead, findings: broken.map(({ name, rows }) => ({ what: name, rows: rows.length, shown: shownOf(rows) })) };
  };
  await recordCheck(ctx, { kind: "invariants", from: since ?? null }, run).catch(alertAndThrow);
  if (broken.length > 0) log().fatal({ broken: broken.map(({ name, rows }) => ({ name, rows: rows.length })) }, "invariants are broken");
  for (const invariant of broken) await alertOnBroken(invariant);
}

/** The numbers of entries have no gaps, so the last one of each account says how many there are. */
async function countEntries(): Promise<number> {
  const [counted] = await readLong((sql) => sql<{ entries: string }[]>`select coalesce(sum(seq), 0)::text as entries from ledger_accounts`);
  return Number(counted?.entries ?? 0);
}

/** Each night the causes of postings of this period are checked, and on Sundays those of all postings. */
const CAUSES_OF_MS = 3 * DAY_MS;
const WHOLE_ON = 0;
const MAX_ROWS_SHOWN = 5;
const MAX_ROWS_HASHED = 1_000;

/** Alerts operators that the check failed, because otherwise broken books could stay unnoticed. Throws the error again. */
async function alertAndThrow(error: unknown): Promise<never> {
  const message = "The books could not be checked last night; the log says why. Run npm run check:ledger.";
  await alertOperators("live", { type: "invariant.broken", resourceId: "check", message });
  throw error;
}

const textOf = (some: unknown) => JSON.stringify(some, (_key, value: unknown) => (typeof value === "bigint" ? String(value) : value));
const shownOf = (rows: BrokenInvariant["rows"]): string => textOf(rows.slice(0, MAX_ROWS_SHOWN));

/** Alerts the operators of live mode, who have the books of both: once a week for the same rows, even if every night finds them. */
async function alertOnBroken({ name, rows }: BrokenInvariant): Promise<void> {
  await alertOperators("live", {
    ...{
      type: "invariant.broken",
      resourceId: name,
      cause: createHash("sha256")
        .update([name, weekOf(new Date()), ...rows.map(textOf).toSorted().slice(0, MAX_ROWS_HASHED)].join(" "))
        .digest("hex"),
    },
    message: `The books break the rule "${name}" in ${rows.length} rows: ${shownOf(rows).slice(0, 1_000)}. See: npm run check:ledger`,
  });
}

/** Compares all cards with their issuers. Stores and logs differences, and alerts operators. */
export async function checkCards(ctx: SystemContext): Promise<void> {
  let differences: Awaited<ReturnType<typeof compareCards>>["differences"] = [];
  await recordCheck(ctx, { kind: "cards", from: null }, async () => {
    const { differences: found, ...counts } = await compareCards(ctx);
    differences = found;
    log().info(counts, "cards were compared with their issuers");
    return { rowsRead: counts.compared + counts.processing + counts.unread, findings: differences.map(findingOf) };
  });
  if (differences.length > 0) log().fatal({ differences: differences.slice(0, 20) }, "cards differ from their issuers' data");
  await alertOnDifferences(ctx, differences);
}

const findingOf = ({
  merchantId,
  cardId,
  provider,
  what,
  ours,
  issuers,
}: Awaited<ReturnType<typeof compareCards>>["differences"][number]) => ({
  ...{ what: `the ${what} of ${cardId} (${merchantId})`, rows: 1, shown: `${ours} here, ${issuers} at ${provider}` },
});
