import { and, eq, lte, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { formatMoney, money } from "#lib/money.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { banks, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { returnAtBank } from "../bank-limits.ts";
import type { TransferRow } from "../payment-link.ts";
import { confirmReturn } from "./confirm-return.ts";

/** The lease of a claim on a return. Also the first wait of the backoff. */
const LEASE_MS = 60_000;
const MAX_WAIT_MS = 60 * 60_000;
/** The waits double, so the seventh attempt comes after about an hour. */
const ATTEMPTS_BEFORE_ALERT = 7;

/** Returns how long a claim after so many attempts keeps others away, in milliseconds. */
const waitMsAfter = (attempts: number): number => Math.min(MAX_WAIT_MS, LEASE_MS * 2 ** Math.min(attempts, 10));

/** Asks banks to send back refused money that they kept: up to `limit` due transfers. Returns how many were asked for. */
export const returnOwedTransfers = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.returnState, "owed"), lte(bankTransfers.nextReturnAt, sql`now()`)))
    .orderBy(bankTransfers.nextReturnAt)
    .limit(limit);
  let asked = 0;
  for (const transfer of due) if (await returnOne(transfer)) asked++;
  return asked;
});

async function returnOne(seen: TransferRow): Promise<boolean> {
  const owed = await claim(seen);
  if (!owed) return false;
  const bank = banks.named(owed.provider);
  const outcome = bank ? await returnAtBank(bank, owed) : "unknown";
  // If the bank does not clearly confirm, it is asked again at the time that the claim has set.
  if (outcome === "returned") await transaction((tx) => confirmReturn(tx, owed));
  else await tellOperators(owed, outcome);
  return true;
}

type Undone = Exclude<Awaited<ReturnType<typeof returnAtBank>>, "returned">;

const WHY_UNDONE: Record<Undone, string> = {
  pending: "It was asked again and again, and has not done it.",
  unknown: "It was asked again and again, and does not confirm it.",
  failed:
    "It could not, and still has the money: arrange the return with the bank, and it is seen. If the money goes back in another way: npm run oja -- suspense-settle",
  needs_details: "It waits for the payer's account: tell it to the bank.",
  impossible: "It sends nothing back on request: pay the money back in another way, then: npm run oja -- suspense-settle",
};

/** Tells operators once of each outcome, and at once where waiting does not help. */
async function tellOperators(owed: TransferRow, outcome: Undone): Promise<void> {
  const { merchantId, id, provider, sessionId, amount, currency, returnAttempts } = owed;
  const mayStillCome = outcome === "pending" || outcome === "unknown";
  if (mayStillCome && returnAttempts < ATTEMPTS_BEFORE_ALERT) return;
  log().error({ provider, sessionId, transferId: id, tries: returnAttempts, outcome }, "a bank has not sent money back");
  await alertOperators(modeOf(provider), {
    type: mayStillCome ? "bank_return.unconfirmed" : "bank_return.failed",
    ...{ resourceId: id, cause: `${id}:${outcome}` },
    message: `${provider} owes a payer ${formatMoney(money(amount, currency))} (session ${sessionId}, ${merchantId}). ${WHY_UNDONE[outcome]}`,
  });
}

/** Returns whether a worker may be asking the bank at this moment: its claim is not older than the lease. */
export function isBeingAsked({ returnAttempts, nextReturnAt }: Pick<TransferRow, "returnAttempts" | "nextReturnAt">): boolean {
  if (returnAttempts === 0 || nextReturnAt === null) return false;
  return Date.now() < nextReturnAt.getTime() - waitMsAfter(returnAttempts - 1) + LEASE_MS;
}

async function claim({ merchantId, id, returnAttempts }: TransferRow): Promise<TransferRow | undefined> {
  const [owed] = await db()
    .update(bankTransfers)
    .set({ returnAttempts: returnAttempts + 1, nextReturnAt: sql`now() + ${waitMsAfter(returnAttempts)} * interval '1 ms'` })
    .where(
      and(
        eq(bankTransfers.merchantId, merchantId),
        eq(bankTransfers.id, id),
        eq(bankTransfers.returnState, "owed"),
        eq(bankTransfers.returnAttempts, returnAttempts),
        lte(bankTransfers.nextReturnAt, sql`now()`),
      ),
    )
    .returning();
  return owed;
}
