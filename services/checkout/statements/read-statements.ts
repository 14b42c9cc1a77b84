import { sql } from "#db/client.ts";
import { log } from "#lib/log.ts";
import { lagosDay } from "#lib/time.ts";
import type { Bank } from "#providers/bank.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { compareDay, type Difference, type Statement, type StatementOf, toStatement } from "./compare-day.ts";
import { type OpenDifferences, storeDay } from "./store-day.ts";
import { summariseAccounts } from "./summarise-accounts.ts";

/** The last days are compared each time: a bank may lack a day at first, and what comes later may explain a difference. */
const ALWAYS_BACK = 3;
/** So many days back, a day is compared until it was once, and while differences of it are open. */
const MOST_BACK = 30;
/** A statement that is not there so many days after its day is told to operators. */
const SILENT_AFTER_DAYS = 2;

/**
 * Compares days of each bank with our transfers, and stores what differs, open until it is explained. The accounts of lines that are missing here are
 * made due to be read, so that a lost notice is made good before the next comparison. Of a bank without statements, stores how many accounts of the
 * day were read to their end. Each bank has its own turn. Returns how many days were compared.
 */
export const readStatements = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const counts = await Promise.all(banks.all().map(readDays));
  return counts.reduce((sum, count) => sum + count, 0);
});

async function readDays(bank: Bank): Promise<number> {
  const { name: provider } = bank;
  const statementOf = remembered(bank);
  let compared = 0;
  for (const { day, back } of await findDays(provider)) {
    try {
      if (await readDay(bank, { day, back, statementOf })) compared++;
    } catch (error) {
      log().error({ provider, day, err: error }, "a day of a bank could not be compared; it is tried again");
      await tellOfFailure(provider, day, "could not be compared with the books; the log says why").catch((failure) =>
        log().error({ provider, day, err: failure }, "operators could not be told of a day that could not be compared"),
      );
    }
  }
  return compared;
}

/** Returns a bank's statements, and asks for each day once. */
function remembered(bank: Bank): StatementOf {
  const read = new Map<string, Promise<Statement | undefined>>();
  return (day) => {
    const known =
      read.get(day) ?? bank.readStatement(day).then((reading) => (reading.status === "read" ? toStatement(reading.lines) : undefined));
    read.set(day, known);
    return known;
  };
}

interface Day {
  day: string;
  /** How many days ago. */
  back: number;
}

/** Returns the days of a bank that are to be compared, newest first. A bank that is new here begins with the last three. */
async function findDays(provider: string): Promise<Day[]> {
  const today = lagosDay(new Date());
  return sql()<Day[]>`
    select to_char(${today}::date - back, 'YYYY-MM-DD') as day, back from generate_series(1, ${MOST_BACK}::int) back
    left join bank_days d on d.provider = ${provider} and d.day = ${today}::date - back
    where back <= ${ALWAYS_BACK}
      or d.day is null and exists (select from bank_days e where e.provider = ${provider} and e.day < ${today}::date - back)
      or exists (select from statement_differences s where s.provider = ${provider} and s.day = ${today}::date - back and s.explained_at is null)
    order by back`;
}

async function readDay(bank: Bank, { day, back, statementOf }: Day & { statementOf: StatementOf }): Promise<boolean> {
  const { name: provider, capabilities } = bank;
  if (!capabilities.hasStatement) {
    await summariseAccounts(provider, day);
    return true;
  }
  const statement = await statementOf(day);
  if (statement === undefined) {
    log().warn({ provider, day }, "a bank does not give its statement; it is asked again");
    if (back >= SILENT_AFTER_DAYS) await tellOfFailure(provider, day, "is not there: ask the bank");
    return false;
  }
  const differences = await compareDay(provider, day, { ...statement, statementOf });
  const open = await storeDay({ provider, day, lines: statement.lines.length, differences });
  await makeDue(provider, day, differences);
  if (open.count > 0) await tellOfDifferences(provider, day, open);
  return true;
}

/** Makes accounts due to be read of which lines are missing here, unless an operator has explained why. */
async function makeDue(provider: string, day: string, differences: Difference[]): Promise<void> {
  if (!differences.some(({ kind, accountReference }) => kind === "missing_here" && accountReference !== null)) return;
  await sql()`
    update one_time_accounts a set next_read_at = date_trunc('milliseconds', now())
    from statement_differences d
    where d.provider = ${provider} and d.day = ${day}::date and d.explained_at is null and d.kind = 'missing_here'
      and a.provider = d.provider and a.account_reference = d.account_reference and (a.next_read_at is null or a.next_read_at > now())`;
}

const tellOfFailure = (provider: string, day: string, why: string) =>
  alertOperators(modeOf(provider), {
    ...{ type: "bank_statement.missing", resourceId: provider, cause: `${provider}:${day}:${why}` },
    message: `${provider}'s statement of ${day} ${why}. Money of payers may be missing here.`,
  });

const tellOfDifferences = (provider: string, day: string, { count, fingerprint }: OpenDifferences) =>
  alertOperators(modeOf(provider), {
    ...{ type: "bank_statement.differs", resourceId: provider, cause: `${provider}:${day}:${fingerprint}` },
    message: `${count} ${count === 1 ? "line" : "lines"} of ${provider}'s statement of ${day} and our books differ. See: npm run oja -- statement ${provider} ${day}`,
  });
