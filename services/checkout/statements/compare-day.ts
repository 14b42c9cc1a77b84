import { and, eq, gte, inArray, lt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { bankSessions, bankTransfers } from "#db/schema/checkout.ts";
import { type Money, money } from "#lib/money.ts";
import { DAY_MS, HOUR_MS, lagosDay, startOfLagosDay } from "#lib/time.ts";
import type { StatementLine } from "#providers/bank.ts";
import type { TransferRow } from "../payment-link.ts";

/** A line of a statement without an equal transfer of ours, or a transfer of ours without a line. */
export interface Difference {
  kind: "missing_here" | "missing_there" | "amount_differs" | "account_differs" | "other_day";
  sessionId: string;
  direction: StatementLine["direction"];
  accountReference: string | null;
  here: Money | null;
  there: Money | null;
}

const COLUMNS = {
  sessionId: bankTransfers.sessionId,
  accountReference: bankTransfers.accountReference,
  amount: bankTransfers.amount,
  currency: bankTransfers.currency,
  disposition: bankTransfers.disposition,
  returnState: bankTransfers.returnState,
  returnedByHand: bankTransfers.returnedByHand,
  receivedAt: bankTransfers.receivedAt,
};
type OurTransfer = Pick<TransferRow, keyof typeof COLUMNS>;

/** Sessions that are looked up in one query. */
const AT_ONCE = 1_000;

async function findBySessions(provider: string, sessionIds: string[]): Promise<Map<string, OurTransfer>> {
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

/** Returns our transfers that a bank took on a day in Lagos. */
function findOfDay(provider: string, { start, end }: Bounds): Promise<OurTransfer[]> {
  const { receivedAt } = bankTransfers;
  return db()
    .select(COLUMNS)
    .from(bankTransfers)
    .where(and(eq(bankTransfers.provider, provider), gte(receivedAt, start), lt(receivedAt, end)));
}

interface Bounds {
  start: Date;
  end: Date;
}

function boundsOf(day: string): Bounds {
  const start = startOfLagosDay(day);
  return { start, end: new Date(start.getTime() + DAY_MS) };
}

/** A bank may book so late: money of the last hour of a day may be in the next day's statement, and the other way round. */
const BOOKED_WITHIN_MS = HOUR_MS;

/** A bank's statement of a day: one line for each session and direction, and the sessions that came in. */
export interface Statement {
  lines: StatementLine[];
  incoming: Set<string>;
}

/** Returns the statement that lines make. Lines of the same session and direction are added up, so that money which is there twice differs. */
export function toStatement(lines: StatementLine[]): Statement {
  const sums = new Map<string, StatementLine>();
  for (const line of lines) {
    const key = `${line.direction} ${line.sessionId}`;
    const before = sums.get(key);
    sums.set(key, before ? { ...before, amount: money(before.amount.minor + line.amount.minor, line.amount.currency) } : line);
  }
  const added = [...sums.values()];
  return { lines: added, incoming: new Set(added.filter(isIncoming).map(({ sessionId }) => sessionId)) };
}

/** Returns the statement of a day, or undefined where the bank does not give it. */
export type StatementOf = (day: string) => Promise<Statement | undefined>;

/**
 * Compares a bank's statement of a day with our transfers, by session. A line `in` needs a transfer of the same account, amount and day, a line `out`
 * one that the bank sent or took back; and each transfer of ours of that day needs a line `in`, in the first or last hour of the day also of the day
 * beside it. When our transfers went back is not stored, so a line `out` that is not there is not noticed.
 */
export async function compareDay(
  provider: string,
  day: string,
  { lines, incoming, statementOf }: Statement & { statementOf: StatementOf },
): Promise<Difference[]> {
  const bounds = boundsOf(day);
  const known = await findBySessions(provider, [...new Set(lines.map(({ sessionId }) => sessionId))]);
  const unlisted = (await findOfDay(provider, bounds)).filter(({ sessionId }) => !incoming.has(sessionId));
  const differences: Difference[] = lines.flatMap((line) => differenceOf(line, known.get(line.sessionId), bounds) ?? []);
  for (const ours of unlisted) if (!(await mayBeBeside(ours, day, statementOf))) differences.push(missingThere(ours));
  return differences;
}

const isIncoming = ({ direction }: StatementLine): boolean => direction === "in";

/** Returns whether the day beside lists a transfer at the border of its day, or cannot be asked for yet. */
async function mayBeBeside({ sessionId, receivedAt }: OurTransfer, day: string, statementOf: StatementOf): Promise<boolean> {
  const beside = [-BOOKED_WITHIN_MS, BOOKED_WITHIN_MS]
    .map((ms) => lagosDay(new Date(receivedAt.getTime() + ms)))
    .find((each) => each !== day);
  if (beside === undefined) return false;
  const statement = await statementOf(beside);
  return statement === undefined || statement.incoming.has(sessionId);
}

const missingThere = ({ sessionId, accountReference, amount, currency }: OurTransfer): Difference => ({
  ...{ kind: "missing_there", sessionId, direction: "in", accountReference },
  ...{ here: money(amount, currency), there: null },
});

function differenceOf(line: StatementLine, ours: OurTransfer | undefined, bounds: Bounds): Difference | undefined {
  const { sessionId, direction, accountReference, amount: there } = line;
  const kind = kindOf(line, ours, bounds);
  if (kind === undefined) return undefined;
  const here = ours && kind !== "missing_here" ? money(ours.amount, ours.currency) : null;
  return { kind, sessionId, direction, accountReference, here, there };
}

function kindOf(line: StatementLine, ours: OurTransfer | undefined, bounds: Bounds): Difference["kind"] | undefined {
  if (!ours || !hasMoved(line, ours)) return "missing_here";
  const isOther = ours.accountReference !== null && line.accountReference !== null && ours.accountReference !== line.accountReference;
  if (isOther) return "account_differs";
  if (ours.amount !== line.amount.minor || ours.currency !== line.amount.currency) return "amount_differs";
  return isIncoming(line) && !isAround(ours.receivedAt, bounds) ? "other_day" : undefined;
}

/** Returns whether our books have the movement of a line. Money that must still go back, or went back by hand, was not sent by the bank. */
const hasMoved = (line: StatementLine, { disposition, returnState, returnedByHand }: OurTransfer): boolean =>
  isIncoming(line) || disposition === "recalled" || (disposition === "returned" && returnState !== "owed" && !returnedByHand);

const isAround = (at: Date, { start, end }: Bounds): boolean =>
  at.getTime() >= start.getTime() - BOOKED_WITHIN_MS && at.getTime() < end.getTime() + BOOKED_WITHIN_MS;
