import { and, eq, gte, inArray, lt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankSessions, bankTransfers } from "#db/schema/checkout.ts";
import { type Money, money } from "#lib/money.ts";
import { DAY_MS, startOfLagosDay } from "#lib/time.ts";
import type { StatementLine } from "#providers/bank.ts";
import type { TransferRow } from "../payment-link.ts";

/** A line of a statement without an equal transfer of ours, or a transfer of ours without a line. */
export interface Difference {
  kind: "missing_here" | "missing_there" | "amount_differs";
  sessionId: string;
  direction: StatementLine["direction"];
  accountReference: string | null;
  here: Money | null;
  there: Money | null;
}

type OurTransfer = Pick<TransferRow, "sessionId" | "accountReference" | "amount" | "currency" | "disposition" | "returnState">;

/** Sessions that are looked up in one query. */
const AT_ONCE = 1_000;

/** Returns our transfers of a bank with these sessions, by session. */
export async function findBySessions(provider: string, sessionIds: string[]): Promise<Map<string, OurTransfer>> {
  const found = new Map<string, OurTransfer>();
  for (let at = 0; at < sessionIds.length; at += AT_ONCE) {
    const rows = await db()
      .select(COLUMNS)
      .from(bankSessions)
      .innerJoin(bankTransfers, and(eq(bankTransfers.merchantId, bankSessions.merchantId), eq(bankTransfers.id, bankSessions.transferId)))
      .where(and(eq(bankSessions.provider, provider), inArray(bankSessions.sessionId, sessionIds.slice(at, at + AT_ONCE))));
    for (const row of rows) found.set(row.sessionId, row);
  }
  return found;
}

const COLUMNS = {
  sessionId: bankTransfers.sessionId,
  accountReference: bankTransfers.accountReference,
  amount: bankTransfers.amount,
  currency: bankTransfers.currency,
  disposition: bankTransfers.disposition,
  returnState: bankTransfers.returnState,
};

/** Returns our transfers that a bank took on a day in Lagos. */
const findOfDay = (provider: string, day: string): Promise<OurTransfer[]> => {
  const start = startOfLagosDay(day);
  return db()
    .select(COLUMNS)
    .from(bankTransfers)
    .where(
      and(
        eq(bankTransfers.provider, provider),
        gte(bankTransfers.receivedAt, start),
        lt(bankTransfers.receivedAt, new Date(start.getTime() + DAY_MS)),
      ),
    );
};

/**
 * Compares a bank's statement of a day with our transfers, by session. A line `in` needs a transfer of the same amount, a line `out` one that went
 * back or was taken back; and each transfer of ours of that day needs a line `in`. When our transfers went back is not stored, so a line `out` that is
 * not there is not noticed.
 */
export async function compareDay(provider: string, day: string, lines: StatementLine[]): Promise<Difference[]> {
  const known = await findBySessions(provider, [...new Set(lines.map(({ sessionId }) => sessionId))]);
  const there = new Set(lines.filter(({ direction }) => direction === "in").map(({ sessionId }) => sessionId));
  const missingThere = (await findOfDay(provider, day)).filter(({ sessionId }) => !there.has(sessionId));
  return [
    ...lines.flatMap((line) => differenceOf(line, known.get(line.sessionId)) ?? []),
    ...missingThere.map((ours) => ({
      ...{ kind: "missing_there" as const, sessionId: ours.sessionId, direction: "in" as const, accountReference: ours.accountReference },
      ...{ here: money(ours.amount, ours.currency), there: null },
    })),
  ];
}

/** Returns one line for each session and direction. Lines of the same are added up, so that money which a statement has twice differs. */
export function addUp(lines: StatementLine[]): StatementLine[] {
  const sums = new Map<string, StatementLine>();
  for (const line of lines) {
    const key = `${line.direction} ${line.sessionId}`;
    const before = sums.get(key);
    sums.set(key, before ? { ...before, amount: money(before.amount.minor + line.amount.minor, line.amount.currency) } : line);
  }
  return [...sums.values()];
}

function differenceOf(line: StatementLine, ours: OurTransfer | undefined): Difference | undefined {
  const { sessionId, direction, accountReference, amount: there } = line;
  if (!ours || !hasMoved(line, ours)) return { kind: "missing_here", sessionId, direction, accountReference, here: null, there };
  const here = money(ours.amount, ours.currency);
  const isEqual = here.minor === there.minor && here.currency === there.currency;
  return isEqual ? undefined : { kind: "amount_differs", sessionId, direction, accountReference, here, there };
}

/** Returns whether our books have the movement of a line. Money that must still go back has not. */
const hasMoved = ({ direction }: StatementLine, { disposition, returnState }: OurTransfer): boolean =>
  direction === "in" || disposition === "recalled" || (disposition === "returned" && returnState !== "owed");
