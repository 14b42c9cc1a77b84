import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listStuckRefunds } from "#services/checkout/index.ts";
import { operator } from "./context.ts";
import { type Named, proposeAs, withName } from "./named.ts";
import { type BanksWord, REASON, withBanksWord } from "./options.ts";

const STUCK_AFTER_HOURS = 1;

export function addRefundCommands(program: Command): void {
  program.command("refunds").description("Lists refunds that were ordered more than an hour ago and are undecided.").action(showRefunds);
  withName(withBanksWord(program.command("refund-settle <refund>")))
    .description("Proposes how a refund ends that its bank never decides, or about which it contradicts us, by what the bank told you.")
    .action(settle);
  withName(program.command("payment-recalled <link>"))
    .description(
      "Proposes to book that a bank took the payment of a link back, where its readings leave that open. The wallet pays it, or owes it.",
    )
    .requiredOption("--merchant <merchant>", "the merchant of the link, as the alert names it")
    .option("--besides-refunds", "the bank took the money besides what our own refunds sent back")
    .requiredOption(...REASON)
    .action(recalled);
}

interface Recall extends Named {
  merchant: string;
  reason: string;
  besidesRefunds?: boolean;
}

const recalled = (link: string, { merchant, reason, besidesRefunds = false, ...named }: Recall): Promise<void> =>
  proposeAs(named, { kind: "payment.recall", payload: { merchant, link, besides_refunds: besidesRefunds }, reason });

async function showRefunds(): Promise<void> {
  const stuck = await listStuckRefunds(operator, STUCK_AFTER_HOURS);
  if (stuck.length === 0) return console.log("No refund is undecided for more than an hour.");
  console.table(
    stuck.map(({ id, merchantId, provider, route, paymentReference, amount, attempts, createdAt }) => ({
      refund: id,
      merchant: merchantId,
      provider,
      by: route,
      link: paymentReference,
      amount: formatMoney(amount),
      "times asked": attempts,
      since: createdAt.toISOString(),
    })),
  );
}

const settle = (id: string, { outcome, was, evidence, reason, ...named }: BanksWord & Named): Promise<void> =>
  proposeAs(named, { kind: "refund.settle", payload: { id, outcome, was, evidence }, reason });
