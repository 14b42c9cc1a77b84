import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listOperatorAlerts } from "#services/alerts/index.ts";
import { listSuspense } from "#services/suspense/index.ts";
import { operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
import { REASON } from "./options.ts";

export function addSuspenseCommands(program: Command): void {
  program.command("alerts").description("Lists the latest alerts of operators.").action(showAlerts);
  program
    .command("suspense")
    .description(
      "Lists money that belongs to nobody yet: unmatched transfers, returns that a bank has not confirmed, differences with card issuers.",
    )
    .action(showSuspense);
  withName(program.command("suspense-return <transfer>"))
    .description("Proposes that the bank sends an unmatched transfer back.")
    .requiredOption(...REASON)
    .action(proposeTransfer("suspense.return"));
  withName(program.command("suspense-settle <transfer>"))
    .description(
      "Proposes to record that money which a bank owes a payer went back in another way. First make sure that the bank will not send it too.",
    )
    .requiredOption(...REASON)
    .action(proposeTransfer("suspense.settle"));
  withName(program.command("suspense-credit <item>"))
    .description("Proposes to give a difference with an issuer to the merchant: its worth goes to the wallet.")
    .requiredOption(...REASON)
    .action(proposeItem("suspense.credit"));
  withName(program.command("suspense-dismiss <item>"))
    .description("Proposes to give a difference with an issuer to the issuer.")
    .requiredOption(...REASON)
    .action(proposeItem("suspense.dismiss"));
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

interface Proposed extends Named {
  reason: string;
}

const proposeTransfer =
  (kind: "suspense.return" | "suspense.settle") =>
  (transfer: string, { reason, ...named }: Proposed): Promise<void> =>
    proposeAs(named, { kind, payload: { transfer }, reason });

const proposeItem =
  (kind: "suspense.credit" | "suspense.dismiss") =>
  (item: string, { reason, ...named }: Proposed): Promise<void> =>
    proposeAs(named, { kind, payload: { item }, reason });
