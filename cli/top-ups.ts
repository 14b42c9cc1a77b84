import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listExceptions, listStuckPurchases, markExceptionsSeen } from "#services/vtu/index.ts";
import { Misuse, operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
import { REASON } from "./options.ts";

const STUCK_AFTER_HOURS = 1;

export function addTopUpCommands(program: Command): void {
  program
    .command("vtu-exceptions")
    .description(
      "Lists purchases that were taken back, or delivered after their refund, and those that are undecided for more than an hour.",
    )
    .action(showExceptions);
  withName(program.command("vtu-settle <purchase>"))
    .description(
      "Proposes how a purchase ends that its provider never decides, or about which it contradicts itself, by what the provider told you.",
    )
    .addOption(new Option("--outcome <outcome>", "what the provider says").choices(["delivered", "failed"]).makeOptionMandatory())
    .requiredOption("--evidence <text>", "where the provider's word can be found: a ticket, a mail; it goes to the audit")
    .option("--delivery <file>", "delivered tokens, one a line, or pins, SERIAL,PIN a line; - reads the standard input")
    .requiredOption(...REASON)
    .action(settle);
  program
    .command("vtu-seen <purchase>")
    .description("Says that somebody has looked at the exceptions of a purchase.")
    .action(seeExceptions);
}

async function showExceptions(): Promise<void> {
  const exceptions = await listExceptions(operator);
  if (exceptions.length === 0) console.log("There are no new exceptions.");
  else
    console.table(
      exceptions.map(({ purchaseId, merchantId, kind, amount, reason, createdAt }) => ({
        purchase: purchaseId,
        merchant: merchantId,
        what: kind,
        amount: formatMoney(amount),
        reason,
        at: createdAt.toISOString(),
      })),
    );
  const stuck = await listStuckPurchases(operator, STUCK_AFTER_HOURS);
  if (stuck.length === 0) return console.log("No purchase is undecided for more than an hour.");
  console.log("Undecided for more than an hour:");
  console.table(
    stuck.map(({ id, merchantId, provider, productName, recipient, amount, attempts, createdAt }) => ({
      purchase: id,
      merchant: merchantId,
      provider,
      product: productName,
      recipient,
      amount: formatMoney(amount),
      "times asked": attempts,
      since: createdAt.toISOString(),
    })),
  );
}

interface SettleOptions extends Named {
  outcome: "delivered" | "failed";
  evidence: string;
  delivery?: string;
  reason: string;
}

async function settle(purchase: string, { outcome, evidence, delivery: file, reason, ...named }: SettleOptions): Promise<void> {
  // The tokens come from a file, so that none is kept in the shell's history.
  const secrets = file === undefined ? undefined : readDelivery(textOf(file));
  await proposeAs(named, { kind: "purchase.settle", payload: { purchase, outcome, evidence }, reason, ...(secrets && { secrets }) });
}

function textOf(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    throw new Misuse(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`);
  }
}

function readDelivery(text: string): { tokens: string[]; pins: { serial: string; pin: string }[] } {
  const lines = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  const pins = lines.flatMap((line) => {
    const [serial = "", pin] = line.split(",").map((part) => part.trim());
    return pin === undefined ? [] : [{ serial, pin }];
  });
  return { pins, tokens: lines.filter((line) => !line.includes(",")).map((line) => line.replace(/[\s-]/g, "")) };
}

async function seeExceptions(purchase: string): Promise<void> {
  if ((await markExceptionsSeen(operator, purchase)) === 0)
    throw new Misuse(`There is no unseen exception of ${purchase}. See: npm run oja -- vtu-exceptions`);
  console.log(`The exceptions of ${purchase} are marked as seen.`);
}
