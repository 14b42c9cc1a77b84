import { db, sql, transaction } from "#db/client.ts";
import { DAY_MS, lagosDay } from "#lib/time.ts";
import { withoutTriggers } from "#testing/database.ts";
import { systemContext, type TenantContext } from "../context.ts";
import { appendEvent } from "../events/append-event.ts";
import type { EventType } from "../events/event-types.ts";
import { postTransfers, SETTLEMENT_BANK, type Transfer, WALLET } from "../ledger/index.ts";
import { kobo, newKey } from "../ledger/ledger.fixture.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import type { Figure } from "./figure.ts";
import { advanceFigures, readFigures } from "./index.ts";

export const contextOf = (merchantId: string): TenantContext => ({ ...anOperator, merchant: { id: merchantId, mode: "test" } });

export const sweep = (maxMerchants?: number): Promise<number> => advanceFigures(systemContext("test"), maxMerchants);

/** A figure in one line: `2026-11-21 wallet payment_link 3 500000`. */
const lineOf = ({ day, source, type, count, amount }: Figure) => [day, source, type, count, amount.minor].join(" ");

const aroundNow = () => ({ from: lagosDay(new Date(Date.now() - 380 * DAY_MS)), to: lagosDay(new Date(Date.now() + 2 * DAY_MS)) });

/** Returns what `readFigures` reads of the past year. */
export const readLines = async (merchantId: string): Promise<string[]> =>
  (await readFigures(contextOf(merchantId), aroundNow())).figures.map(lineOf).toSorted();

/** Returns the rows of `daily_figures`: the entries and events that the worker has counted. */
export const countedLines = async (merchantId: string): Promise<string[]> => {
  const rows = await sql()<{ line: string }[]>`
    select concat_ws(' ', day, source, type, count, kobo) as line from daily_figures where merchant_id = ${merchantId}`;
  return rows.map(({ line }) => line).toSorted();
};

/** Returns the lines as they should be, counted one by one from the entries and events. */
export async function expectedLines(merchantId: string): Promise<string[]> {
  const entries = await sql()<{ created_at: string; side: string; posted: bigint; type: string | null }[]>`
    select e.created_at, e.side, e.posted, t.meta ->> 'type' as type from ledger_entries e
    join ledger_transfers t on t.merchant_id = e.merchant_id and t.id = e.transfer_id
    where e.merchant_id = ${merchantId} and e.account = ${WALLET} order by e.seq`;
  const events = await sql()<{ created_at: string; type: string; data: { amount?: number } }[]>`
    select created_at, type, data from events where merchant_id = ${merchantId} order by sequence`;
  const sums = new Map<string, { count: number; minor: bigint }>();
  const add = (name: string, minor: bigint) => {
    const sum = sums.get(name) ?? { count: 0, minor: 0n };
    sums.set(name, { count: sum.count + 1, minor: sum.minor + minor });
  };
  // An entry never belongs to an earlier day than the entry before it.
  let day = "";
  for (const { created_at, side, posted, type } of entries) {
    const own = lagosDay(new Date(created_at));
    if (own > day) day = own;
    if (posted !== 0n) add(`${day} wallet ${type ?? "adjustment"}`, side === "credit" ? posted : -posted);
  }
  let eventDay = "";
  for (const { created_at, type, data } of events) {
    const own = lagosDay(new Date(created_at));
    if (own > eventDay) eventDay = own;
    add(`${eventDay} event ${type}`, BigInt(Math.round((data.amount ?? 0) * 100)));
  }
  return [...sums].map(([name, { count, minor }]) => `${name} ${count} ${minor}`).toSorted();
}

export async function cursorOf(merchantId: string): Promise<{ walletSeq: bigint; eventSequence: bigint } | undefined> {
  const [row] = await sql()<{ walletSeq: bigint; eventSequence: bigint }[]>`
    select wallet_seq as "walletSeq", event_sequence as "eventSequence" from figure_cursors where merchant_id = ${merchantId}`;
  return row;
}

export const creditOf = (minor: number | bigint, type?: string): Transfer => ({
  ...{ kind: "post", key: newKey(), debit: SETTLEMENT_BANK, credit: WALLET, amount: kobo(minor) },
  ...(type !== undefined && { meta: { type } }),
});

export const debitOf = (minor: number | bigint, type?: string): Transfer => ({
  ...{ kind: "post", key: newKey(), debit: WALLET, credit: SETTLEMENT_BANK, amount: kobo(minor) },
  ...(type !== undefined && { meta: { type } }),
});

/** Credits one kobo in each of `count` entries. */
export async function creditKobo(merchantId: string, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1_000) {
    const batch = Array.from({ length: Math.min(left, 1_000) }, () => creditOf(1));
    await postTransfers(db(), merchantId, batch);
  }
}

export const happen = (merchantId: string, type: EventType, data: Record<string, unknown> = {}): Promise<void> =>
  transaction((tx) => appendEvent(tx, merchantId, type, data));

/** Gives the last entry of the wallet, or the last event, another time. */
export async function moveLast(merchantId: string, what: "entry" | "event", at: Date): Promise<void> {
  await withoutTriggers(async (tx) => {
    if (what === "entry") {
      await tx`
        update ledger_entries set created_at = ${at.toISOString()} where merchant_id = ${merchantId} and account = ${WALLET}
          and seq = (select seq from ledger_accounts where merchant_id = ${merchantId} and account = ${WALLET})`;
    } else {
      await tx`
        update events set created_at = ${at.toISOString()} where merchant_id = ${merchantId}
          and sequence = (select last_sequence from event_counters where merchant_id = ${merchantId})`;
    }
  });
}
