import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { DAY_MS, lagosDay } from "#lib/time.ts";
import type { Bank, StatementLine } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { readChanged } from "../transfers/read-accounts.ts";
import { addUp, compareDay, type Difference } from "./compare-day.ts";
import { storeDay } from "./store-day.ts";
import { summariseAccounts } from "./summarise-accounts.ts";

/** A day is read again for so long, because a bank may lack it at first, and a difference may be explained by what comes later. */
const DAYS_BACK = 3;
/** A statement that is not there so many days after its day is told to operators. */
const SILENT_AFTER_DAYS = 2;

/**
 * Compares the last days of each bank with our transfers, and stores what differs, open until it is explained. What is missing here is first read at
 * its account, like after a hint. Of a bank without statements, says how many accounts of the day were read to their end. Returns how many days were
 * compared.
 */
export const readStatements = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  let compared = 0;
  for (const bank of banks.all()) {
    for (let back = 1; back <= DAYS_BACK; back++) {
      const day = lagosDay(new Date(Date.now() - back * DAY_MS));
      try {
        if (await readDay(ctx, bank, { day, back })) compared++;
      } catch (error) {
        log().error({ provider: bank.name, day, err: error }, "a day of a bank could not be compared; it is tried again");
      }
    }
  }
  return compared;
});

async function readDay(ctx: SystemContext, bank: Bank, { day, back }: { day: string; back: number }): Promise<boolean> {
  const { name: provider, capabilities } = bank;
  if (!capabilities.hasStatement) {
    await summariseAccounts(provider, day);
    return true;
  }
  const reading = await bank.readStatement(day);
  if (reading.status !== "read") {
    log().warn({ provider, day }, "a bank does not give its statement; it is asked again");
    if (back >= SILENT_AFTER_DAYS) await tellOfSilence(provider, day);
    return false;
  }
  const lines = addUp(reading.lines);
  const differences = await compareAfterReading(ctx, provider, { day, lines });
  const open = await storeDay({ provider, day, lines: lines.length, differences });
  if (open > 0) await tellOfDifferences(provider, { day, open });
  return true;
}

/** Accounts that are read for one day. Where more lines are missing here, something else is wrong, or the next comparisons read the others. */
const MAX_READ = 100;

/** Compares, reads the accounts of lines that are missing here, and compares again if there were any. */
async function compareAfterReading(
  ctx: SystemContext,
  provider: string,
  { day, lines }: { day: string; lines: StatementLine[] },
): Promise<Difference[]> {
  const differences = await compareDay(provider, day, lines);
  const references = new Set(
    differences.flatMap(({ kind, accountReference }) => (kind === "missing_here" ? (accountReference ?? []) : [])),
  );
  const known =
    references.size === 0
      ? []
      : await sql()<{ reference: string }[]>`
    select account_reference as reference from one_time_accounts where provider = ${provider} and account_reference = any(${[...references]}::text[]) limit ${MAX_READ}`;
  for (const { reference } of known) await readChanged(ctx, provider, reference);
  return known.length === 0 ? differences : compareDay(provider, day, lines);
}

const tellOfSilence = (provider: string, day: string) =>
  alertOperators(modeOf(provider), {
    ...{ type: "bank_statement.missing", resourceId: provider, cause: `${provider}:${day}` },
    message: `${provider} does not give its statement of ${day}. Money of payers may be missing here: ask the bank.`,
  });

const tellOfDifferences = (provider: string, { day, open }: { day: string; open: number }) =>
  alertOperators(modeOf(provider), {
    ...{ type: "bank_statement.differs", resourceId: provider, cause: `${provider}:${day}:${open}` },
    message: `${open} ${open === 1 ? "line" : "lines"} of ${provider}'s statement of ${day} and our books differ. See: npm run oja -- statement ${provider} ${day}`,
  });
