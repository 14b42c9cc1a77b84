import { createHash } from "node:crypto";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { type Database, db, type Tx, transaction } from "#db/client.ts";
import { providerNotices } from "#db/schema/checkout.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import type { SystemContext } from "../context.ts";
import { modeOf } from "../providers/index.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** How long a try at a notice keeps others away from it. */
const LEASE_MS = 15_000;
const MAX_WAIT_MS = 10 * 60_000;
/** A notice that fails so often has failed for about an hour. */
const ATTEMPTS_BEFORE_ALERT = 14;

type NoticeRow = Pick<typeof providerNotices.$inferSelect, "provider" | "noticeId" | "payloadHash">;

const isRow = ({ provider, noticeId, payloadHash }: NoticeRow) =>
  and(eq(providerNotices.provider, provider), eq(providerNotices.noticeId, noticeId), eq(providerNotices.payloadHash, payloadHash));

/**
 * Keeps a notice, so that it may be acknowledged, and works it off. A failure to work it off is not the bank's concern: the notice is
 * stored, and the worker tries again. The same notice in the same words is kept once.
 */
export async function takeNotice(_ctx: SystemContext, provider: string, notice: BankNotice): Promise<void> {
  const payload = toPayload(notice);
  const row = { provider, noticeId: notice.noticeId, payloadHash: createHash("sha256").update(JSON.stringify(payload)).digest("hex") };
  const [kept] = await db()
    .insert(providerNotices)
    .values({ ...row, payload, nextAttemptAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
    .onConflictDoNothing()
    .returning({ noticeId: providerNotices.noticeId });
  if (kept) await workOff(row, notice, 0);
}

async function workOff(row: NoticeRow, notice: BankNotice, attempts: number): Promise<void> {
  const reason = whyUnacceptable(notice);
  if (reason) return quarantine(row, reason);
  try {
    await receiveTransfer(row.provider, notice);
    await db().update(providerNotices).set({ processedAt: sql`now()`, nextAttemptAt: null }).where(isRow(row));
  } catch (error) {
    const { provider, noticeId } = row;
    log().error({ provider, noticeId, err: error }, "a bank's notice could not be worked off; it will be tried again");
    if (attempts >= ATTEMPTS_BEFORE_ALERT)
      await tellOperators(db(), row, "It fails again and again, the log says why, and is tried again.");
  }
}

/** Naira in kobo: a hundred billion Naira, and what PostgreSQL can still add up. */
const MAX_MINOR = 10n ** 13n;
const MAX_NAME = 500;

/** Why a notice can never be worked off, or undefined. */
function whyUnacceptable({ amount, sessionId, accountNumber, receivedAt }: BankNotice): string | undefined {
  if (amount.minor <= 0n) return "Its amount is not above zero.";
  if (amount.minor > MAX_MINOR) return "Its amount is beyond what any transfer has.";
  if (sessionId === "" || sessionId.length > MAX_NAME || accountNumber.length > MAX_NAME) return "A name in it is empty or too long.";
  if (Number.isNaN(receivedAt.getTime())) return "Its time is no time.";
  return undefined;
}

/** Puts a notice aside, so that it is not tried for ever, and tells operators of it. */
async function quarantine(row: NoticeRow, reason: string): Promise<void> {
  await transaction(async (tx) => {
    await tx.update(providerNotices).set({ quarantinedBecause: reason, nextAttemptAt: null }).where(isRow(row));
    await tellOperators(tx, row, `${reason} It is quarantined: ask the bank.`);
  });
}

async function tellOperators(tx: Tx | Database, { provider, noticeId }: NoticeRow, reason: string): Promise<void> {
  log().error({ provider, noticeId, reason }, "a bank's notice cannot be worked off");
  const message = `Notice ${noticeId} of ${provider} could not be worked off. ${reason}`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "bank_notice.quarantined", resourceId: noticeId, message });
}

/** Works off notices that a crash or a failure left behind. Returns how many were due. */
export async function retryNotices(_ctx: SystemContext, limit = 100): Promise<number> {
  const waitMs = sql`least(${MAX_WAIT_MS}, ${LEASE_MS} * power(2, least(${providerNotices.attempts}, 10)))`;
  const due = await db()
    .select()
    .from(providerNotices)
    .where(and(isNull(providerNotices.processedAt), lte(providerNotices.nextAttemptAt, sql`now()`)))
    .orderBy(providerNotices.nextAttemptAt)
    .limit(limit);
  for (const row of due) {
    const [claimed] = await db()
      .update(providerNotices)
      .set({ attempts: sql`${providerNotices.attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 ms'` })
      .where(and(isRow(row), isNull(providerNotices.processedAt), lte(providerNotices.nextAttemptAt, sql`now()`)))
      .returning();
    if (claimed) await workOff(claimed, fromPayload(claimed.payload), claimed.attempts);
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
