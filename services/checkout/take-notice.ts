import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { providerNotices } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** How long a try at a notice keeps others away from it. */
const LEASE_MS = 15_000;
const LONGEST_WAIT_MS = 10 * 60_000;

/**
 * Keeps a notice, so that it may be acknowledged, and works it off. A failure to work it off is not the bank's concern:
 * the notice is stored, and the worker tries again.
 */
export async function takeNotice(provider: string, notice: BankNotice): Promise<void> {
  const [kept] = await db()
    .insert(providerNotices)
    .values({ provider, noticeId: notice.noticeId, payload: toPayload(notice), nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .onConflictDoNothing()
    .returning({ noticeId: providerNotices.noticeId });
  if (kept) await workOff(provider, notice);
}

async function workOff(provider: string, notice: BankNotice): Promise<void> {
  try {
    await receiveTransfer(provider, notice);
    await db()
      .update(providerNotices)
      .set({ processedAt: sql`now()`, nextAttemptAt: null })
      .where(and(eq(providerNotices.provider, provider), eq(providerNotices.noticeId, notice.noticeId)));
  } catch (error) {
    log().error({ provider, noticeId: notice.noticeId, err: error }, "a bank's notice could not be worked off; it will be tried again");
  }
}

/** Works off notices that a crash or a failure left behind. Answers how many were due. */
export async function retryNotices(limit = 100): Promise<number> {
  const waitMs = sql`least(${LONGEST_WAIT_MS}, ${LEASE_MS} * power(2, least(${providerNotices.attempts}, 10)))`;
  const due = await db()
    .select()
    .from(providerNotices)
    .where(and(isNull(providerNotices.processedAt), lte(providerNotices.nextAttemptAt, sql`now()`)))
    .orderBy(providerNotices.nextAttemptAt)
    .limit(limit);
  for (const { provider, noticeId } of due) {
    const [claimed] = await db()
      .update(providerNotices)
      .set({ attempts: sql`${providerNotices.attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 ms'` })
      .where(
        and(
          eq(providerNotices.provider, provider),
          eq(providerNotices.noticeId, noticeId),
          isNull(providerNotices.processedAt),
          lte(providerNotices.nextAttemptAt, sql`now()`),
        ),
      )
      .returning();
    if (claimed) await workOff(provider, fromPayload(claimed.payload));
  }
  return due.length;
}

interface StoredNotice extends Omit<BankNotice, "amount" | "receivedAt"> {
  minor: string;
  currency: "NGN" | "USD";
  receivedAt: string;
}

function toPayload({ amount, receivedAt, ...rest }: BankNotice): StoredNotice {
  return { ...rest, minor: String(amount.minor), currency: amount.currency, receivedAt: receivedAt.toISOString() };
}

function fromPayload(payload: unknown): BankNotice {
  const { minor, currency, receivedAt, ...rest } = payload as StoredNotice;
  return { ...rest, amount: money(BigInt(minor), currency), receivedAt: new Date(receivedAt) };
}
