import { formatMoney } from "#lib/money.ts";
import { listOperatorAlerts } from "#services/alerts/index.ts";
import { type Resolution, resolveItem } from "#services/cards/index.ts";
import { listSuspense, returnUnmatched } from "#services/suspense/index.ts";
import { Misuse, reasonOf } from "./cli-misuse.ts";

export async function showAlerts(): Promise<void> {
  const alerts = await listOperatorAlerts();
  if (alerts.length === 0) return console.log("There is no alert.");
  for (const { createdAt, type, message } of alerts.toReversed()) console.log(`${createdAt.toISOString()}  ${type}\n  ${message}`);
}

export async function showSuspense(): Promise<void> {
  const items = await listSuspense();
  if (items.length === 0) return console.log("Nothing stands in suspense.");
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

export async function returnTransfer(id: string, reason: string | undefined): Promise<void> {
  if (!(await returnUnmatched(id, reasonOf(reason)))) throw new Misuse(`${id} is no unmatched transfer. See: npm run oja -- suspense`);
  console.log(`The bank is asked to send ${id} back.`);
}

export async function resolve(id: string, resolution: Resolution, reason: string | undefined): Promise<void> {
  const done = await resolveItem(id, resolution, reasonOf(reason));
  if (!done)
    throw new Misuse(
      `${id} cannot be resolved: it is no open difference with an issuer, or below zero, or an operation of its card is not decided yet. See: npm run oja -- suspense`,
    );
  console.log(resolution === "credit" ? `The wallet got the worth of ${id}.` : `${id} is the issuer's.`);
}
