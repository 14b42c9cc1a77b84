import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listOperatorAlerts } from "#services/alerts/index.ts";
import { type Resolution, resolveItem } from "#services/cards/index.ts";
import { settleReturn } from "#services/checkout/index.ts";
import { listSuspense, returnUnmatched } from "#services/suspense/index.ts";
import { Misuse, operator } from "./context.ts";
import { REASON } from "./options.ts";

export function addSuspenseCommands(program: Command): void {
  program.command("alerts").description("Lists the latest alerts of operators.").action(showAlerts);
  program
    .command("suspense")
    .description(
      "Lists money that belongs to nobody yet: unmatched transfers, returns that a bank has not confirmed, differences with card issuers.",
    )
    .action(showSuspense);
  program
    .command("suspense-return <transfer>")
    .description("Has the bank send an unmatched transfer back.")
    .requiredOption(...REASON)
    .action(returnTransfer);
  program
    .command("suspense-settle <transfer>")
    .description(
      "Records that money which a bank owes a payer went back in another way. First make sure that the bank will not send it too.",
    )
    .requiredOption(...REASON)
    .action(settleOwedReturn);
  program
    .command("suspense-credit <item>")
    .description("Gives a difference with an issuer to the merchant: its worth goes to the wallet.")
    .requiredOption(...REASON)
    .action((id: string, { reason }: { reason: string }) => resolve(id, "credit", reason));
  program
    .command("suspense-dismiss <item>")
    .description("Gives a difference with an issuer to the issuer.")
    .requiredOption(...REASON)
    .action((id: string, { reason }: { reason: string }) => resolve(id, "dismiss", reason));
}

async function showAlerts(): Promise<void> {
  const alerts = await listOperatorAlerts(operator);
  if (alerts.length === 0) return console.log("There is no alert.");
  for (const { createdAt, type, message } of alerts.toReversed()) console.log(`${createdAt.toISOString()}  ${type}\n  ${message}`);
}

async function showSuspense(): Promise<void> {
  const items = await listSuspense(operator);
  if (items.length === 0) return console.log("There is no item in suspense.");
  console.table(
    items.map(({ id, kind, merchantId, amount, about, createdAt }) => ({
      id,
      what: kind,
      merchant: merchantId,
      amount: formatMoney(amount),
      about,
      since: createdAt.toISOString(),
    })),
  );
}

async function returnTransfer(id: string, { reason }: { reason: string }): Promise<void> {
  if (!(await returnUnmatched(operator, id, reason))) throw new Misuse(`${id} is no unmatched transfer. See: npm run oja -- suspense`);
  console.log(`The bank is asked to send ${id} back.`);
}

async function settleOwedReturn(id: string, { reason }: { reason: string }): Promise<void> {
  const outcome = await settleReturn(operator, id, reason);
  if (outcome === "not_owed") throw new Misuse(`No bank owes ${id} to a payer. See: npm run oja -- suspense`);
  if (outcome === "may_come")
    throw new Misuse(`The bank may still send ${id} back. Wait until an alert says that it does not, and for a minute after it was asked.`);
  console.log(`${id} is settled.`);
}

async function resolve(id: string, resolution: Resolution, reason: string): Promise<void> {
  if (!(await resolveItem(operator, id, resolution, reason)))
    throw new Misuse(
      `${id} cannot be resolved: it is no open difference with an issuer, or below zero, or something of its card may still explain it: an undecided operation, a re-check, or money that is not passed on yet. See: npm run oja -- suspense`,
    );
  console.log(resolution === "credit" ? `The value of ${id} was credited to the wallet.` : `${id} was left to the issuer.`);
}
