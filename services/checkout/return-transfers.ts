import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { mustPost } from "../ledger/index.ts";
import { bankNamed } from "../providers/index.ts";
import { ledgerKeyOf } from "./receive-transfer.ts";

type Owed = typeof bankTransfers.$inferSelect;

/** How long a claim on a return keeps other workers away. */
const LEASE_MS = 60_000;
const LONGEST_WAIT_MS = 60 * 60_000;

/** Asks banks to send back what they kept and we refused: up to `limit` transfers that are due. Answers how many were asked for. */
export async function returnOwedTransfers(limit = 50): Promise<number> {
  const due = await db()
    .select()
    .from(bankTransfers)
    .where(and(eq(bankTransfers.returnState, "owed"), lte(bankTransfers.nextReturnAt, sql`now()`)))
    .orderBy(bankTransfers.nextReturnAt)
    .limit(limit);
  let asked = 0;
  for (const transfer of due) if (await returnOne(transfer)) asked++;
  return asked;
}

async function returnOne(seen: Owed): Promise<boolean> {
  const owed = await claim(seen);
  if (!owed) return false;
  const bank = bankNamed(owed.provider);
  const outcome = bank ? await bank.returnTransfer(owed.sessionId) : "unknown";
  // Anything but a clear yes is asked again at the time that the claim has set.
  if (outcome === "returned") await confirmReturn(owed);
  return true;
}

async function claim({ merchantId, id }: Owed): Promise<Owed | undefined> {
  const waitMs = sql`least(${LONGEST_WAIT_MS}, ${LEASE_MS} * power(2, least(${bankTransfers.returnAttempts}, 10)))`;
  const [owed] = await db()
    .update(bankTransfers)
    .set({ returnAttempts: sql`${bankTransfers.returnAttempts} + 1`, nextReturnAt: sql`now() + ${waitMs} * interval '1 ms'` })
    .where(
      and(
        eq(bankTransfers.merchantId, merchantId),
        eq(bankTransfers.id, id),
        eq(bankTransfers.returnState, "owed"),
        lte(bankTransfers.nextReturnAt, sql`now()`),
      ),
    )
    .returning();
  return owed;
}

async function confirmReturn({ merchantId, id }: Owed): Promise<void> {
  await db().transaction(async (tx) => {
    const [returned] = await tx
      .update(bankTransfers)
      .set({ returnState: "done", nextReturnAt: null })
      .where(and(eq(bankTransfers.merchantId, merchantId), eq(bankTransfers.id, id), eq(bankTransfers.returnState, "owed")))
      .returning();
    if (!returned) return;
    await mustPost(tx, merchantId, [
      { kind: "reverse", key: `${ledgerKeyOf(id)}:return`, target: ledgerKeyOf(id), meta: { type: "transfer_return" } },
    ]);
  });
}
