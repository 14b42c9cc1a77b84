import type { Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { Transfer } from "../../ledger/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { exchanged, type Price, priceOf } from "../prices/exchange.ts";
import { balanceOf } from "../rows.ts";
import { drawOnCredited, drawOnKept, drawOnReturned, noteSpend, shared } from "../spend/draw-on-differences.ts";
import { type LateSpend, lateSpend, markPassedOn, type Sums, sumsOf } from "../spend/late-spend.ts";
import { expiryKeyOf, keyOf } from "../spend/spend-effect.ts";
import { putInSuspense } from "../spend/suspense-items.ts";

// At the end of a card, its account keeps only the holds of open authorizations. The wallet gets a surplus, or pays a deficit, as far as
// our own account and the issuer's list of spend explain it. Every other difference waits in suspense, where later spend may explain it.

const usd = (minor: bigint) => money(minor, "USD");
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const max = (a: bigint, b: bigint) => (a > b ? a : b);

export interface End {
  transfers: Transfer[];
  /** Undefined if nothing is exchanged. */
  price: Price | undefined;
}

/**
 * Returns the transfers and the price of a termination. The wallet gets the balance that the issuer says it returned, at most the balance that the
 * card's account had before the spend that was recorded since the termination was asked for; each difference goes to suspense, as far as that spend
 * does not explain it. Then that spend is settled as late spend is. The caller has locked the card.
 */
export async function settleEnd(tx: Tx, card: CardRow, { id, reference }: OperationRow, returned: Money): Promise<End> {
  const late = await lateSpend(tx, card);
  const { surplus, deficit } = sumsOf(late);
  const before = (await balanceOf(tx, card)).minor - surplus - deficit;
  const credited = shared(returned.minor, before);
  const price = credited === 0n ? undefined : await priceOf(tx, card, credited);
  const meta = { type: "card_terminate", reference, ...(price && { exchange_rate: String(price.rate) }) };
  const transfers = price ? exchanged(card, usd(credited), { key: id, rates: price, meta }) : [];
  const kept = before - credited;
  const beyond = returned.minor - credited;
  // Each cent of late spend explains one thing: what shops gave back fills a lack first, and what they took was of what the issuer kept.
  const lacking = kept < 0n ? min(surplus, -kept) : 0n;
  const spent = kept > 0n ? min(kept, -deficit) : 0n;
  const explained = beyond > 0n ? min(beyond, surplus - lacking) : max(beyond, deficit + spent);
  if (kept !== 0n) transfers.push(...(await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: kept, spent })));
  const difference = beyond > 0n ? { cents: beyond, spent: explained } : { cents: beyond - explained };
  if (difference.cents !== 0n) transfers.push(...(await putInSuspense(tx, card, { kind: "returned_by_issuer", ...difference })));
  // The part of the deficit that explains what was kept is covered by what stayed on the card.
  transfers.push(...(await settleLate(tx, card, { late, surplus, deficit: deficit + spent, other: 0n, explained })));
  return { transfers, price };
}

/**
 * Brings the account of a terminated card to zero: it has `left` US cents, or lacks them. Late spend is settled by `settleLate`; what is on the
 * card for another reason goes to suspense. Returns the transfers to post.
 */
export async function bringToZero(tx: Tx, card: CardRow, left: bigint): Promise<Transfer[]> {
  const late = await lateSpend(tx, card);
  const { surplus, deficit } = sumsOf(late);
  return settleLate(tx, card, { late, surplus, deficit, other: left - surplus - deficit, explained: 0n });
}

interface Late extends Sums {
  late: LateSpend[];
  /** US cents that are on the card for another reason; below zero, that it lacks. */
  other: bigint;
  /** US cents of the surplus, or below zero of the deficit, that explain a return already. */
  explained: bigint;
}

/**
 * Settles late spend and what else an ended card has left. What it put on the card and what it took are settled each by itself, so that it makes no
 * difference whether an issuer lists them together: a deficit is covered by what the issuer kept, a surplus is the issuer's where an operator has
 * credited it. The rest of both is exchanged with the wallet in one sum, which costs the spread once.
 */
async function settleLate(tx: Tx, card: CardRow, { late, surplus, deficit, other, explained }: Late): Promise<Transfer[]> {
  const covered = await drawOnKept(tx, card, deficit, { bySpend: true });
  const lacked = await drawOnKept(tx, card, surplus, { bySpend: true });
  const elsewhere = await drawOnKept(tx, card, other, { bySpend: false });
  // Dollars that nothing explains are on the card as well, and cover what shops took; shops may have given back what it lacks.
  const byOther = elsewhere.rest > 0n ? min(elsewhere.rest, -covered.rest) : max(elsewhere.rest, -lacked.rest);
  // Remembered like what an item covers: an unload may turn out to have taken those dollars, or a funding to have put on what lacked.
  if (byOther !== 0n) await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: byOther, spent: byOther });
  const down = covered.rest + max(byOther, 0n);
  const credited = await drawOnCredited(tx, card, lacked.rest + min(byOther, 0n), { bySpend: true });
  const up = credited.rest;
  const passed = up + down;
  const exchange = passed === 0n ? [] : await passOn(tx, card, { late, cents: passed });
  await noteSpend(tx, card, { paid: -down });
  const unused = { surplus: up - max(explained, 0n), deficit: down - min(explained, 0n) };
  const returned = await drawOnReturned(tx, card, { ...unused, rest: elsewhere.rest - byOther });
  await markPassedOn(tx, card, late);
  const kept = returned.rest === 0n ? [] : await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: returned.rest });
  return [covered, lacked, elsewhere, credited].flatMap(({ transfers }) => transfers).concat(exchange, returned.transfers, kept);
}

async function passOn(tx: Tx, card: CardRow, { late, cents }: { late: LateSpend[]; cents: bigint }): Promise<Transfer[]> {
  const [newest] = late;
  if (!newest) throw new Error(`nothing explains what card ${card.id} has left`);
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: newest.id, exchange_rate: String(rate) };
  // An authorization may be late twice: when it is recorded, and when it expires.
  const key = `${newest.isExpired ? expiryKeyOf(newest.id) : keyOf(newest.id)}:passed_on`;
  return exchanged(card, usd(cents), { key, rates: { rate, mid }, meta });
}
