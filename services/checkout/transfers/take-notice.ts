import { createHash } from "node:crypto";
import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { db, isAboutData, transaction } from "#db/client.ts";
import { providerNotices } from "#db/schema/checkout.ts";
import { Batches } from "#lib/batches.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import type { BankNotice } from "#providers/bank.ts";
import { alertOperators, raiseOperatorAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { receiveTransfer } from "./receive-transfer.ts";

/** The lease of an attempt at a notice. Also the first wait of the backoff. */
const LEASE_MS = 15_000;
const MAX_WAIT_MS = 10 * 60_000;
/** With the backoff above, this many attempts take about an hour and a half. */
const ATTEMPTS_BEFORE_ALERT = 14;

type NoticeRow = Pick<typeof providerNotices.$inferSelect, "provider" | "noticeId" | "payloadHash">;
type NewNotice = NoticeRow & { payload: StoredNotice };

const MAX_AT_ONCE = 64;
/** Notices of a bank that come together are stored in one commit, and marked as processed in one. */
const storing = new Batches<NewNotice, boolean>(storeAll, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });
const marking = new Batches<NoticeRow, undefined>(markAllProcessed, { most: MAX_AT_ONCE, isAboutAnItem: isAboutData });

const isRow = ({ provider, noticeId, payloadHash }: NoticeRow) =>
  and(eq(providerNotices.provider, provider), eq(providerNotices.noticeId, noticeId), eq(providerNotices.payloadHash, payloadHash));

/**
 * Stores a notice, so that it may be acknowledged, and processes it. A failure of the processing is not reported to the bank: the notice is
 * stored, and the worker retries it. A notice with the same id and the same payload is stored once.
 */
export const takeNotice = verb({ actor: ["system"] }, async (_ctx: SystemContext, provider: string, notice: BankNotice): Promise<void> => {
  const payload = toPayload(notice);
  const row = { provider, noticeId: notice.noticeId, payloadHash: createHash("sha256").update(JSON.stringify(payload)).digest("hex") };
  if (await storing.add(provider, { ...row, payload })) await processOrLog(row, notice, 0);
});

/**
 * Stores notices of a bank, in the order of their names, so that two processes do not deadlock. Returns for each
 * whether it is new. Of two equal ones in a batch, only the first counts as new.
 */
async function storeAll(provider: string, notices: NewNotice[]): Promise<boolean[]> {
  const rows = notices
    .toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1))
    .map(({ noticeId, payloadHash, payload }) => ({ notice_id: noticeId, payload_hash: payloadHash, payload }));
  const stored = await db().execute<{ notice_id: string; payload_hash: string }>(sql`
    insert into provider_notices (provider, notice_id, payload_hash, payload, next_attempt_at)
    select ${provider}, notice_id, payload_hash, payload, now() + ${LEASE_MS} * interval '1 ms'
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as n(notice_id text, payload_hash text, payload jsonb)
    on conflict do nothing returning notice_id, payload_hash`);
  const isNew = new Set(stored.map((row) => nameOf({ noticeId: row.notice_id, payloadHash: row.payload_hash })));
  return notices.map((notice) => isNew.delete(nameOf(notice)));
}

const nameOf = ({ noticeId, payloadHash }: Pick<NoticeRow, "noticeId" | "payloadHash">) => `${payloadHash} ${noticeId}`;

async function markAllProcessed(provider: string, rows: NoticeRow[]): Promise<undefined[]> {
  const names = rows.map(({ noticeId, payloadHash }) => ({ notice_id: noticeId, payload_hash: payloadHash }));
  await db().execute(sql`
    update provider_notices p set processed_at = now(), next_attempt_at = null
    from json_to_recordset(${JSON.stringify(names)}::text::json) as n(notice_id text, payload_hash text)
    where p.provider = ${provider} and p.notice_id in ${rows.map(({ noticeId }) => noticeId)}
      and p.notice_id = n.notice_id and p.payload_hash = n.payload_hash`);
  return rows.map(() => undefined);
}

/** Logs a failure instead of throwing it, because the notice is stored, and its failure must not stop the others. */
async function processOrLog(row: NoticeRow, notice: BankNotice, attempts: number): Promise<void> {
  const { provider, noticeId } = row;
  try {
    await processNotice(row, notice);
  } catch (error) {
    log().error({ provider, noticeId, err: error }, "a bank's notice could not be processed; it will be retried");
    if (attempts >= ATTEMPTS_BEFORE_ALERT) await alertAboutFailures(row);
  }
}

async function processNotice(row: NoticeRow, notice: BankNotice): Promise<void> {
  const reason = whyUnacceptable(notice);
  if (reason) return quarantine(row, reason);
  await receiveTransfer(row.provider, notice);
  await marking.add(row.provider, row);
}

async function alertAboutFailures({ provider, noticeId }: NoticeRow): Promise<void> {
  const message = `Notice ${noticeId} of ${provider} fails again and again; the log says why. It will be retried.`;
  try {
    await alertOperators(modeOf(provider), { type: "bank_notice.failing", resourceId: noticeId, message });
  } catch (error) {
    log().error({ provider, noticeId, err: error }, "operators could not be alerted; the next attempt tries again");
  }
}

/** In kobo: a hundred billion Naira. Sums of such amounts still fit PostgreSQL's bigint. */
const MAX_MINOR = 10n ** 13n;
const MAX_NAME = 500;

/** Returns the reason why a notice can never be processed, or undefined if it can. */
function whyUnacceptable({
  amount,
  sessionId,
  accountReference,
  accountNumber,
  receivedAt,
  returnedBecause,
}: BankNotice): string | undefined {
  const isKept = returnedBecause === null;
  if (isKept && (amount === null || receivedAt === null))
    return "The bank keeps the money, and does not say how much it is or when it came.";
  if (amount && amount.minor <= 0n) return "Its amount is not above zero.";
  if (amount && amount.currency !== "NGN") return `Its amount is in ${amount.currency}, and one-time accounts take Naira.`;
  if (amount && amount.minor > MAX_MINOR) return "Its amount is beyond what any transfer has.";
  const names = [sessionId, accountReference, accountNumber ?? "none"];
  if (names.some((name) => name === "" || name.length > MAX_NAME)) return "A name in it is empty or too long.";
  if (receivedAt && Number.isNaN(receivedAt.getTime())) return "Its time is no time.";
  return undefined;
}

/** Quarantines a notice, so that it is not retried for ever, and alerts operators. */
async function quarantine(row: NoticeRow, reason: string): Promise<void> {
  await transaction(async (tx) => {
    await tx.update(providerNotices).set({ quarantinedBecause: reason, nextAttemptAt: null }).where(isRow(row));
    const { provider, noticeId } = row;
    log().error({ provider, noticeId, reason }, "a bank's notice cannot be processed");
    const message = `Notice ${noticeId} of ${provider} could not be processed. ${reason} It is quarantined: ask the bank.`;
    await raiseOperatorAlert(tx, modeOf(provider), { type: "bank_notice.quarantined", resourceId: noticeId, message });
  });
}

/** Processes notices that a crash or a failure has left unprocessed. Returns how many were due. */
export const retryNotices = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 100): Promise<number> => {
  const waitMs = sql`least(${MAX_WAIT_MS}, ${LEASE_MS} * power(2, least(${providerNotices.attempts}, 10)))`;
  const due = await db()
    .select()
    .from(providerNotices)
    .where(and(isNull(providerNotices.processedAt), lte(providerNotices.nextAttemptAt, sql`now()`)))
    .orderBy(providerNotices.nextAttemptAt)
    .limit(limit);
  await forEachAtOnce(due, async (row) => {
    const [claimed] = await db()
      .update(providerNotices)
      .set({ attempts: sql`${providerNotices.attempts} + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 ms'` })
      .where(and(isRow(row), isNull(providerNotices.processedAt), lte(providerNotices.nextAttemptAt, sql`now()`)))
      .returning();
    if (claimed) await processOrLog(claimed, fromPayload(claimed.payload), claimed.attempts);
  });
  return due.length;
});

/** Optional, because notices that were stored before adapters parsed the sender's bank lack these fields. */
type Sender = Partial<Pick<BankNotice, "senderBank" | "senderAccountLast4">>;

interface StoredNotice extends Omit<BankNotice, "amount" | "receivedAt" | keyof Sender>, Sender {
  minor: string | null;
  currency: "NGN" | "USD";
  receivedAt: string | null;
}

function toPayload({ amount, receivedAt, ...rest }: BankNotice): StoredNotice {
  return {
    ...rest,
    minor: amount && String(amount.minor),
    currency: amount?.currency ?? "NGN",
    receivedAt: receivedAt && (Number.isNaN(receivedAt.getTime()) ? "no time" : receivedAt.toISOString()),
  };
}

function fromPayload(payload: unknown): BankNotice {
  const { minor, currency, receivedAt, ...rest } = payload as StoredNotice;
  return {
    senderBank: null,
    senderAccountLast4: null,
    ...rest,
    amount: minor === null ? null : money(BigInt(minor), currency),
    receivedAt: receivedAt === null ? null : new Date(receivedAt),
  };
}
