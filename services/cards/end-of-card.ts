import { and, eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { type Money, money } from "#lib/money.ts";
import { amountsOf, cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import type { OperationRow } from "./card-operation.ts";
import type { TransactionRow } from "./card-transaction.ts";
import { type Drawn, drawOnReturned, drawWithoutWallet, shared } from "./draw-on-differences.ts";
import { exchanged, type Price, priceOf } from "./exchange-with-wallet.ts";
import { balanceOf } from "./rows.ts";
import { expiryKeyOf, keyOf } from "./spend-effect.ts";
import { putInSuspense } from "./suspense-items.ts";

// At the end of a card, its account keeps only the holds of open authorizations. The wallet gets a surplus, or pays a deficit, as far as
// our own account and the issuer's list of spend explain it. Every other difference waits in suspense, where later spend may explain it.

const usd = (minor: bigint) => money(minor, "USD");

export interface End {
  transfers: Transfer[];
  /** Undefined if nothing is exchanged. */
  price: Price | undefined;
}

/**
 * Returns the transfers and the price of a termination. The wallet gets the balance that the issuer says it returned, at most the balance
 * of the card's account; each difference goes to suspense. The caller has locked the card.
 */
export async function settleEnd(tx: Tx, card: CardRow, { id, reference }: OperationRow, returned: Money): Promise<End> {
  const balance = await balanceOf(tx, card);
  const credited = shared(returned.minor, balance.minor);
  const price = credited === 0n ? undefined : await priceOf(tx, card, credited);
  const meta = { type: "card_terminate", reference, ...(price && { exchange_rate: String(price.rate) }) };
  const transfers = price ? exchanged(card, usd(credited), { key: id, rates: price, meta }) : [];
  const rest = await bringToZero(tx, card, { left: balance.minor - credited, returned: returned.minor - credited });
  return { transfers: [...transfers, ...rest], price };
}

interface Difference {
  /** Cents that are left on the card's account; below zero, cents that it lacks. */
  left: bigint;
  /** Cents that the issuer says it returned, beyond the account's balance. */
  returned: bigint;
}

/**
 * Brings the account of a card at its end to zero. Late spend explains a surplus, which goes to the wallet at the unload rate, or a
 * deficit, which the wallet pays at the fund rate. Before that, both draw on earlier differences of the card. The unexplained rest goes to
 * suspense. Returns the transfers to post.
 */
export async function bringToZero(tx: Tx, card: CardRow, { left, returned }: Difference): Promise<Transfer[]> {
  const late = await lateSpend(tx, card);
  const { transfers, rest } = await drawOnDifferences(tx, card, { left, late });
  if (rest !== 0n)
    transfers.push(await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: rest, from: cardAccount(card.id), suffix: "card" }));
  if (returned !== 0n) {
    transfers.push(
      await putInSuspense(tx, card, { kind: "returned_by_issuer", cents: returned, from: SETTLEMENT_ISSUER, suffix: "issuer" }),
    );
  }
  await markPassedOn(tx, card, late);
  return transfers;
}

async function drawOnDifferences(tx: Tx, card: CardRow, { left, late }: { left: bigint; late: LateSpend[] }): Promise<Drawn> {
  const unmoved = await drawWithoutWallet(tx, card, left);
  const passed = explainedBy(late, unmoved.rest);
  const exchange = passed === 0n ? [] : await passOn(tx, card, { late, cents: passed });
  const returned = left === 0n ? { transfers: [], rest: 0n } : await drawOnReturned(tx, card, { passed, rest: unmoved.rest - passed });
  return { transfers: [...unmoved.transfers, ...exchange, ...returned.transfers], rest: returned.rest };
}

/**
 * Returns the transfers that settle a funding of a terminated card that its issuer turned out to have executed. Its dollars are on the card's
 * account; the part that no difference explains stays there, for `bringToZero`.
 */
export async function settleLateFunding(tx: Tx, card: CardRow, amount: Money): Promise<Transfer[]> {
  const { transfers } = await drawOnDifferences(tx, card, { left: amount.minor, late: [] });
  return transfers;
}

/** Returns the part of `cents` that late spend explains. */
function explainedBy(late: LateSpend[], cents: bigint): bigint {
  const explaining = late.filter(({ effect }) => effect > 0n === cents > 0n);
  return shared(
    cents,
    explaining.reduce((sum, { effect }) => sum + effect, 0n),
  );
}

async function passOn(tx: Tx, card: CardRow, { late, cents }: { late: LateSpend[]; cents: bigint }): Promise<Transfer[]> {
  const [newest] = late;
  if (!newest) throw new Error(`nothing explains what card ${card.id} has left`);
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: newest.id, exchange_rate: String(rate) };
  // An authorization may be late twice: when it is recorded, and when it expires.
  const key = `${keyOf(newest.id)}${newest.isExpired ? ":expired" : ""}:passed_on`;
  return exchanged(card, usd(cents), { key, rates: { rate, mid }, meta });
}

const isLate = ({ merchantId, id }: CardRow) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, id), eq(cardTransactions.awaitsPassingOn, true));

/** Spend that awaits passing on. */
interface LateSpend {
  id: string;
  /** US cents by which it may have changed the card's balance. Above zero they explain a surplus, below zero a deficit. */
  effect: bigint;
  isExpired: boolean;
}

/** Returns the late spend of a card, newest first. */
async function lateSpend(tx: Tx, card: CardRow): Promise<LateSpend[]> {
  const rows = await tx.select().from(cardTransactions).where(isLate(card));
  const expired = await amountsOf(
    tx,
    card.merchantId,
    rows.map(({ id }) => expiryKeyOf(id)),
  );
  return rows
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .map((row) => {
      const released = expired.get(expiryKeyOf(row.id));
      return { id: row.id, effect: released ?? effectOnBalance(row), isExpired: released !== undefined };
    });
}

/** An authorization takes the cents that it still holds: the cents that were cleared or reversed are effects of other rows. */
function effectOnBalance({ type, amount, openAmount }: TransactionRow): bigint {
  if (type === "AUTHORIZATION") return -openAmount;
  return type === "REFUND" || type === "REVERSAL" ? amount : -amount;
}

/** Unmarks late spend after a termination has failed: the card stays open, so its spend is not late. */
export async function forgetLateSpend(tx: Tx, card: CardRow): Promise<void> {
  await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isLate(card));
}

async function markPassedOn(tx: Tx, card: CardRow, late: LateSpend[]): Promise<void> {
  const ids = late.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(cardTransactions)
      .set({ awaitsPassingOn: false })
      .where(and(isLate(card), inArray(cardTransactions.id, ids)));
}
