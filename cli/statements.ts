import type { Command } from "commander";
import { formatMoney, type Money } from "#lib/money.ts";
import { explainDifference, findBankDay, listBankDays, listDifferences } from "#services/checkout/index.ts";
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
    .option("--out", "of money that the bank sent back, instead of money that came", false)
    .requiredOption(...REASON)
    .action(explain);
}

const COMPARED = { statement: "its statement", accounts: "accounts of ours" };

async function showDays(): Promise<void> {
  const days = await listBankDays(operator);
  if (days.length === 0) return console.log("No day of a bank was compared yet.");
  console.table(
    days.map(({ provider, day, source, lines, matched, open }) => ({
      ...{
        bank: provider,
        day,
        compared: source === null ? "not yet" : COMPARED[source],
        matched: source === null ? "" : `${matched} of ${lines}`,
        open,
      },
    })),
  );
  if (days.some(({ source }) => source === "accounts")) console.log(UNKNOWABLE);
}

const UNKNOWABLE =
  "A bank without statements is only asked about accounts of ours. Money that it holds for no account of ours cannot be known.";

async function showDay(bank: string, day: string): Promise<void> {
  const compared = await findBankDay(operator, bank, day);
  const { listed, count } = await listDifferences(operator, bank, day);
  if (!compared && count === 0) throw new Misuse(`${day} was not compared at ${bank}. See: npm run oja -- statements`);
  if (compared?.source === "accounts")
    console.log(`Of ${compared.lines} accounts of that day, ${compared.matched} were read to the end. ${UNKNOWABLE}`);
  else if (compared) console.log(`${compared.matched} of ${compared.lines} lines match.`);
  if (count === 0) return console.log("Nothing differs.");
  console.table(
    listed.map(({ sessionId, direction, kind, accountReference, here, there, explanation }) => ({
      ...{ session: sessionId, direction, what: kind, account: accountReference },
      ...{ here: shown(here), there: shown(there), explanation: explanation ?? "open" },
    })),
  );
  if (count > listed.length) console.log(`These are ${listed.length} of ${count}.`);
}

const shown = (amount: Money | null) => (amount ? formatMoney(amount) : "none");

interface Explained {
  reason: string;
  out: boolean;
}

async function explain(provider: string, day: string, sessionId: string, { reason, out }: Explained): Promise<void> {
  const direction = out ? "out" : "in";
  if (!(await explainDifference(operator, { provider, day, sessionId, direction }, reason)))
    throw new Misuse(
      `No difference of session ${sessionId} (${direction}) is open on ${day} at ${provider}. See: npm run oja -- statement ${provider} ${day}`,
    );
  console.log(`The difference of ${sessionId} is explained.`);
}
