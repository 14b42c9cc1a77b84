import { money } from "#lib/money.ts";
import { cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../../ledger/index.ts";
import type { TransactionRow } from "../card-transaction.ts";
import type { Followers } from "./spend-tree.ts";

const usd = (minor: bigint) => money(minor, "USD");

/** Returns the ledger key of a card transaction's transfer. */
export const keyOf = (transactionId: string) => `card_transaction:${transactionId}`;

/** Returns the ledger key of the release of an authorization that expired here. */
export const expiryKeyOf = (transactionId: string) => `${keyOf(transactionId)}:expired`;

/** An authorization with its new open amount. */
export interface Open {
  row: TransactionRow;
  /** US cents. */
  amount: bigint;
  holdKey: string | null;
}

interface Effect {
  transfers: Transfer[];
  open?: Open;
  /** US cents of a reversal without a known target. They move no money, because it is not known what they give back. */
  ignored: bigint;
}

/** The transaction from which a clearing takes money, or whose money a reversal gives back. */
export interface Target {
  row: TransactionRow;
  /** US cents of the target that earlier reversals give back. */
  reversed: bigint;
}

interface Related {
  target: Target | undefined;
  /** Clearings and reversals that were recorded before the transaction that they follow. */
  followers: Followers;
}

/** Returns the transfers that a transaction posts to its card's account, and the new state of its authorization. */
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

/**
 * Captures the authorization's hold, or a part of it; a new hold keeps the rest. An amount beyond the hold, or without an authorization, is
 * posted on its own.
 */
function clear(row: TransactionRow, authorization: TransactionRow | undefined, followers: Followers): Effect {
  const { transfers, open, resolved } = resolve(row, authorization, { how: "capture", taken: followers.cleared });
  const beyond = row.amount - resolved;
  const all = [...transfers, ...(beyond > 0n ? [takenBy(row, beyond, ":beyond")] : []), ...reversedBefore(row, followers)];
  return { transfers: all, ...(open && { open }), ignored: 0n };
}

/** Gives back the amount of reversals that were recorded before the transaction, because they moved nothing then. */
function reversedBefore(row: TransactionRow, { reversed }: Followers): Transfer[] {
  const given = reversed < row.amount ? reversed : row.amount;
  return given > 0n ? [givenBackBy(row, given, ":reversed_before")] : [];
}

/** Releases an authorization's hold, or a part of it, or gives back a clearing or a fee: never more than is left of the target. */
function reverse(row: TransactionRow, target: Target | undefined): Effect {
  if (target?.row.type === "CLEARING" || target?.row.type === "FEE") {
    const left = target.row.amount > target.reversed ? target.row.amount - target.reversed : 0n;
    const given = row.amount < left ? row.amount : left;
    return { transfers: given > 0n ? [givenBackBy(row, given, ":beyond")] : [], ignored: row.amount - given };
  }
  const { transfers, open, resolved } = resolve(row, target?.row, { how: "release", taken: 0n });
  return { transfers, ...(open && { open }), ignored: row.amount - resolved };
}

interface ResolveOptions {
  how: "capture" | "release";
  /** US cents of following clearings that posted on their own, because they were recorded first. A new hold leaves them out. */
  taken: bigint;
}

function resolve(row: TransactionRow, authorization: TransactionRow | undefined, { how, taken }: ResolveOptions) {
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
