import type { Command } from "commander";
import { formatMoney, type Money } from "#lib/money.ts";
import { explainDifference, listBankDays, listDifferences } from "#services/checkout/index.ts";
import { Misuse, operator } from "./context.ts";
import { REASON } from "./options.ts";

export function addStatementCommands(program: Command): void {
  program
    .command("statements")
    .description("Lists the latest days of each bank, and how many lines differ from the books.")
    .action(showDays);
  program
    .command("statement <bank> <day>")
    .description("Shows what differs between a bank's statement of a day (2026-11-28, in Lagos) and the books.")
    .action(showDay);
  program
    .command("statement-explain <bank> <day> <session>")
    .description("Explains a difference. It moves no money.")
    .requiredOption(...REASON)
    .action(explain);
}

async function showDays(): Promise<void> {
  const days = await listBankDays(operator);
  if (days.length === 0) return console.log("No day of a bank was compared yet.");
  console.table(
    days.map(({ provider, day, source, lines, matched, open }) => ({
      ...{ bank: provider, day, compared: source === "statement" ? "its statement" : "accounts only" },
      ...{
        [source === "statement" ? "lines" : "accounts"]: lines,
        [source === "statement" ? "matched" : "read to the end"]: matched,
        open,
      },
    })),
  );
  if (days.some(({ source }) => source === "accounts")) console.log(UNKNOWABLE);
}

const UNKNOWABLE =
  "A bank without statements is only asked about accounts of ours. Money that it holds for no account of ours cannot be known.";

async function showDay(bank: string, day: string): Promise<void> {
  const [compared] = (await listBankDays(operator, MANY)).filter((each) => each.provider === bank && each.day === day);
  if (!compared) throw new Misuse(`${day} was not compared at ${bank}. See: npm run oja -- statements`);
  if (compared.source === "accounts")
    return console.log(`Of ${compared.lines} accounts of that day, ${compared.matched} were read to the end. ${UNKNOWABLE}`);
  const differences = await listDifferences(operator, bank, day);
  console.log(`${compared.matched} of ${compared.lines} lines match.`);
  if (differences.length === 0) return console.log("Nothing differs.");
  console.table(
    differences.map(({ sessionId, direction, kind, accountReference, here, there, explanation }) => ({
      ...{
        session: sessionId,
        direction,
        what: kind,
        account: accountReference,
        here: shown(here),
        there: shown(there),
        explanation: explanation ?? "open",
      },
    })),
  );
}

/** More days than are kept in sight elsewhere. */
const MANY = 10_000;
const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;
const shown = (amount: Money | null) => (amount ? formatMoney(amount) : "none");

async function explain(provider: string, day: string, sessionId: string, { reason }: { reason: string }): Promise<void> {
  if (!DAY.test(day)) throw new Misuse(`${day} is no day. Write it like 2026-11-28.`);
  if (!(await explainDifference(operator, { provider, day, sessionId }, reason)))
    throw new Misuse(
      `No difference of session ${sessionId} is open on ${day} at ${provider}. See: npm run oja -- statement ${provider} ${day}`,
    );
  console.log(`The difference of ${sessionId} is explained.`);
}
