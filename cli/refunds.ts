import type { Command } from "commander";
import { formatMoney } from "#lib/money.ts";
import { listStuckRefunds, recordRecall, settleRefundByOperator } from "#services/checkout/index.ts";
import { Misuse, operator } from "./context.ts";
import { REASON, withBanksWord } from "./options.ts";

const STUCK_AFTER_HOURS = 1;

export function addRefundCommands(program: Command): void {
  program.command("refunds").description("Lists refunds that were ordered more than an hour ago and are undecided.").action(showRefunds);
  withBanksWord(program.command("refund-settle <refund>"))
    .description("Settles a refund that its bank never decides, or about which it contradicts us, with what the bank told you.")
    .action(settle);
  program
    .command("payment-recalled <link>")
    .description("Books that a bank took the payment of a link back, where its readings leave that open. The wallet pays it, or owes it.")
    .requiredOption("--merchant <merchant>", "the merchant of the link, as the alert names it")
    .option("--besides-refunds", "the bank took the money besides what our own refunds sent back")
    .requiredOption(...REASON)
    .action(recalled);
}

async function recalled(link: string, { merchant, ...recall }: { merchant: string; reason: string; besidesRefunds?: true }): Promise<void> {
  if (!(await recordRecall(operator, merchant, link, recall))) throw new Misuse(`${merchant} has no link ${link}.`);
  console.log(`The payment of ${link} is booked as taken back.`);
}

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

async function settle(refund: string, options: Parameters<typeof settleRefundByOperator>[2]): Promise<void> {
  if (!(await settleRefundByOperator(operator, refund, options)))
    throw new Misuse(`There is no refund ${refund}. See: npm run oja -- refunds`);
  console.log(`${refund} is settled: ${options.outcome}.`);
}
