import { money } from "#lib/money.ts";
import { cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../ledger/index.ts";
import type { TransactionRow } from "./card-transaction.ts";
import type { Followers } from "./spend-tree.ts";

const usd = (minor: bigint) => money(minor, "USD");

/** The ledger's key of what a card transaction moves. */
export const keyOf = (transactionId: string) => `card_transaction:${transactionId}`;

/** What is left of an authorization. */
export interface Open {
  row: TransactionRow;
  amount: bigint;
  holdKey: string | null;
}

interface Effect {
  transfers: Transfer[];
  open?: Open;
  /** Cents of a reversal of which we do not know what it reverses. They move nothing: nobody is credited by guess. */
  ignored: bigint;
}

/** The transaction of which another takes something, or gives it back. */
export interface Target {
  row: TransactionRow;
  /** Cents that reversals recorded before give back of it. */
  reversed: bigint;
}

interface Related {
  target: Target | undefined;
  /** Recorded before the transaction that they follow. */
  followers: Followers;
}

/** What a transaction does to its card's account. */
export function effectOf(row: TransactionRow, { target, followers }: Related): Effect {
  const { type, amount, openAmount } = row;
  switch (type) {
    case "AUTHORIZATION":
      return { transfers: openAmount > 0n ? [{ ...takenBy(row, openAmount), kind: "hold" }] : [], ignored: 0n };
    case "CLEARING":
      return clear(row, target?.row, followers);
    case "REVERSAL":
      return reverse(row, target);
    case "REFUND":
      return { transfers: amount > 0n ? [givenBackBy(row, amount)] : [], ignored: 0n };
    case "FEE":
      return { transfers: amount > 0n ? [takenBy(row, amount), ...reversedBefore(row, followers)] : [], ignored: 0n };
    case "DECLINE":
      return { transfers: [], ignored: 0n };
  }
}

const metaOf = ({ id }: TransactionRow) => ({ type: "card_transaction", reference: id });

const takenBy = (row: TransactionRow, cents: bigint, suffix = "") => ({
  kind: "post" as const,
  key: `${keyOf(row.id)}${suffix}`,
  debit: cardAccount(row.cardId),
  credit: SETTLEMENT_ISSUER,
  amount: usd(cents),
  meta: metaOf(row),
});

const givenBackBy = (row: TransactionRow, cents: bigint, suffix = "") => ({
  ...takenBy(row, cents, suffix),
  debit: SETTLEMENT_ISSUER,
  credit: cardAccount(row.cardId),
});

/** Takes what the authorization holds, or a part of it; the rest is held anew. What goes beyond it, or has none, is taken on its own. */
function clear(row: TransactionRow, authorization: TransactionRow | undefined, followers: Followers): Effect {
  const { transfers, open, resolved } = resolve(row, authorization, { how: "capture", taken: followers.cleared });
  const beyond = row.amount - resolved;
  const all = [...transfers, ...(beyond > 0n ? [takenBy(row, beyond, ":beyond")] : []), ...reversedBefore(row, followers)];
  return { transfers: all, ...(open && { open }), ignored: 0n };
}

/** Gives back what reversals that were recorded before the transaction say: they moved nothing then. */
function reversedBefore(row: TransactionRow, { reversed }: Followers): Transfer[] {
  const given = reversed < row.amount ? reversed : row.amount;
  return given > 0n ? [givenBackBy(row, given, ":reversed_before")] : [];
}

/** Gives back what an authorization holds, or a part of it, or what was cleared before: never more in all than there was. */
function reverse(row: TransactionRow, target: Target | undefined): Effect {
  if (target?.row.type === "CLEARING" || target?.row.type === "FEE") {
    const left = target.row.amount > target.reversed ? target.row.amount - target.reversed : 0n;
    const given = row.amount < left ? row.amount : left;
    return { transfers: given > 0n ? [givenBackBy(row, given, ":beyond")] : [], ignored: row.amount - given };
  }
  const { transfers, open, resolved } = resolve(row, target?.row, { how: "release", taken: 0n });
  return { transfers, ...(open && { open }), ignored: row.amount - resolved };
}

interface How {
  how: "capture" | "release";
  /** Cents of the hold that have been taken on their own, by clearings that were recorded before the one they follow. */
  taken: bigint;
}

function resolve(row: TransactionRow, authorization: TransactionRow | undefined, { how, taken }: How) {
  const target = authorization?.holdKey;
  if (!authorization || !target || (row.amount === 0n && taken === 0n)) return { transfers: [], resolved: 0n };
  const { openAmount } = authorization;
  let resolved = row.amount;
  if (openAmount < resolved) resolved = openAmount;
  const unused = openAmount - resolved;
  const rest = unused > taken ? unused - taken : 0n;
  const key = keyOf(row.id);
  const meta = metaOf(row);
  const transfers: Transfer[] = [
    how === "capture" && resolved > 0n
      ? { kind: "capture", key, target, amount: usd(resolved), meta }
      : { kind: "release", key, target, meta },
    ...(rest > 0n ? [{ ...takenBy(row, rest, ":rest"), kind: "hold" as const }] : []),
  ];
  return { transfers, resolved, open: { row: authorization, amount: rest, holdKey: rest > 0n ? `${key}:rest` : null } };
}
