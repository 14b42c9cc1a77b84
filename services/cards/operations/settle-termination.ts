import type { Tx } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { Transfer } from "../../ledger/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { type ExchangePrice, exchanged, priceOf } from "../prices/prices.ts";
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
  price: ExchangePrice | undefined;
}

/**
 * Returns the transfers and the price of a termination. The wallet gets the balance that the issuer reports as returned, up to that of the
 * card's account before the spend recorded since the request for the termination. Any difference goes to suspense, except the part that this spend
 * explains. Then this spend is settled like late spend. The caller has locked the card.
 */
export async function settleTermination(tx: Tx, card: CardRow, { id, reference }: OperationRow, returned: Money): Promise<End> {
  const late = await lateSpend(tx, card);
  const { surplus, deficit } = sumsOf(late);
  const before = (await balanceOf(tx, card)).minor - surplus - deficit;
  const credited = shared(returned.minor, before);
  const price = credited === 0n ? undefined : await priceOf(tx, card, credited);
  const meta = { type: "card_terminate", reference, ...(price && { exchange_rate: String(price.rate) }) };
  const transfers = price ? exchanged(card, usd(credited), { key: id, rates: price, meta }) : [];
  const kept = before - credited;
  const beyond = returned.minor - credited;
  // Each cent of late spend explains one difference: refunds first fill a deficit, and charges first use the cents that the issuer kept.
  const lacking = kept < 0n ? min(surplus, -kept) : 0n;
  const spent = kept > 0n ? min(kept, -deficit) : 0n;
  const explained = beyond > 0n ? min(beyond, surplus - lacking) : max(beyond, deficit + spent);
  if (kept !== 0n) transfers.push(...(await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: kept, spent })));
  const difference = beyond > 0n ? { cents: beyond, spent: explained } : { cents: beyond - explained };
  if (difference.cents !== 0n) transfers.push(...(await putInSuspense(tx, card, { kind: "returned_by_issuer", ...difference })));
  // The part of the deficit that explains kept cents is covered by those cents, which stayed on the card.
  transfers.push(...(await settleLate(tx, card, { late, surplus, deficit: deficit + spent, other: 0n, explained })));
  return { transfers, price };
}

/**
 * Brings the account of a terminated card to zero. It has `left` US cents; below zero, it lacks them. `settleLate` settles late spend. The
 * other cents go to suspense. Returns the transfers to post.
 */
export async function bringToZero(tx: Tx, card: CardRow, left: bigint): Promise<Transfer[]> {
  const late = await lateSpend(tx, card);
  const { surplus, deficit } = sumsOf(late);
  return settleLate(tx, card, { late, surplus, deficit, other: left - surplus - deficit, explained: 0n });
}

interface Late extends Sums {
  late: LateSpend[];
  /** US cents that are on the card for another reason than late spend; below zero, cents that it lacks. */
  other: bigint;
  /** US cents of the surplus (below zero: of the deficit) that already explain returned cents. */
  explained: bigint;
}

/**
 * Settles late spend and the other cents on an ended card. Surplus and deficit are settled separately, so that the result does not depend on
 * whether an issuer lists them together. Cents that the issuer kept cover a deficit. A surplus belongs to the issuer as far as an operator has
 * credited it already. The remaining sum of both is exchanged with the wallet, which costs the spread once.
 */
async function settleLate(tx: Tx, card: CardRow, { late, surplus, deficit, other, explained }: Late): Promise<Transfer[]> {
  const covered = await drawOnKept(tx, card, deficit, { bySpend: true });
  const lacked = await drawOnKept(tx, card, surplus, { bySpend: true });
  const elsewhere = await drawOnKept(tx, card, other, { bySpend: false });
  // Unexplained dollars on the card cover charges of shops. In the same way, refunds of shops cover dollars that the card lacks.
  const byOther = elsewhere.rest > 0n ? min(elsewhere.rest, -covered.rest) : max(elsewhere.rest, -lacked.rest);
  // Stored like a covered item, because an unload may later prove to have taken these dollars, or a funding to have added the missing ones.
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
  if (!newest) throw new Error(`no late spend explains the rest on card ${card.id}`);
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: newest.id, exchange_rate: String(rate) };
  // An authorization can be late spend twice, when it is recorded and when it expires, so it has two keys.
  const key = `${newest.isExpired ? expiryKeyOf(newest.id) : keyOf(newest.id)}:passed_on`;
  return exchanged(card, usd(cents), { key, rates: { rate, mid }, meta });
}
