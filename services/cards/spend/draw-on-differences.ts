import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import { cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../../ledger/index.ts";
import type { CardRow } from "../card.ts";
import type { OperationRow } from "../card-operation.ts";
import { exchanged, priceOf, ratesOf } from "../prices/prices.ts";
import { otherOnCard } from "./late-spend.ts";
import {
  accountOf,
  explainPart,
  type Item,
  keyOfMove,
  type Part,
  putInSuspense,
  transferOfMove,
  unexplainedItems,
} from "./suspense-items.ts";

// The differences of one card form one account. Spend, corrections and operators draw on it under the card's lock. Each takes the part
// that it explains, and no part is deleted before it is explained. So the wallet's final balance does not depend on the order.

const absolute = (cents: bigint) => (cents < 0n ? -cents : cents);

/** Returns the amount of smaller size if both have the same sign, else zero. */
export function shared(cents: bigint, other: bigint): bigint {
  if (cents * other <= 0n) return 0n;
  return absolute(cents) < absolute(other) ? cents : other;
}

export interface Drawn {
  /** The transfers to post. */
  transfers: Transfer[];
  /** US cents that are still on the card's account; below zero, cents that it still lacks. */
  rest: bigint;
}

const explained = { type: "suspense_explained" } as const;

/**
 * Takes the cents that a card lacks (`left` below zero) from those that its issuer kept and no operator credited. The wallet does not move.
 * `bySpend`: a shop took them. It is stored, because a late unload may need it.
 */
export async function drawOnKept(tx: Tx, card: CardRow, left: bigint, { bySpend }: { bySpend: boolean }): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest: left };
  for (const item of left === 0n ? [] : await unexplainedItems(tx, card, "kept_by_issuer")) {
    let now = item;
    for (const part of ["open", "dismissed"] as const) {
      const cents = shared(-drawn.rest, now[part]);
      if (cents === 0n) continue;
      now = await explainPart(tx, now, part, cents, bySpend ? cents : 0n);
      drawn.transfers.push(transferOfMove(now, { cents, from: accountOf(part), to: cardAccount(card.id), suffix: "card", ...explained }));
      drawn.rest += cents;
    }
  }
  return drawn;
}

/**
 * Gives the issuer the cents left on a card for which an operator has already credited the wallet. The wallet does not move. `bySpend`: a shop
 * gave them back. It is stored, because a late funding may need it.
 */
export async function drawOnCredited(tx: Tx, card: CardRow, left: bigint, { bySpend }: { bySpend: boolean }): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest: left };
  for (const item of left === 0n ? [] : await unexplainedItems(tx, card, "returned_by_issuer")) {
    const cents = shared(drawn.rest, item.credited);
    if (cents === 0n) continue;
    const now = await explainPart(tx, item, "credited", cents, bySpend ? cents : 0n);
    drawn.transfers.push(transferOfMove(now, { cents, from: cardAccount(card.id), to: SETTLEMENT_ISSUER, suffix: "card", ...explained }));
    drawn.rest -= cents;
  }
  return drawn;
}

/**
 * Marks cents that an issuer returned beyond our books as explained: by late spend (`surplus`, or below zero `deficit`), which moves the wallet
 * itself, and by `rest`, the cents of a funding charged after the termination. The wallet gets those of `rest`, because the issuer had returned
 * them already. It also gets them if late spend seemed to explain them, because then that spend came after the end.
 */
export async function drawOnReturned(
  tx: Tx,
  card: CardRow,
  { surplus, deficit, rest }: { surplus: bigint; deficit: bigint; rest: bigint },
): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest };
  const bySpend = { up: surplus, down: deficit };
  let got = surplus;
  for (const item of await unexplainedItems(tx, card, "returned_by_issuer")) {
    const way = item.amount > 0n ? "up" : "down";
    let now = item;
    for (const part of ["open", "dismissed", "spent"] as const) {
      const spent = part === "spent" ? 0n : shared(bySpend[way], now[part]);
      const itself = spent === now[part] ? 0n : shared(drawn.rest, now[part] - spent);
      if (spent + itself === 0n) continue;
      now = await explainPart(tx, now, part, spent + itself, spent > 0n ? spent : 0n);
      drawn.transfers.push(...(await explainedReturn(tx, card, { item: now, part, cents: spent + itself, toWallet: itself })));
      bySpend[way] -= spent;
      drawn.rest -= itself;
      // A surplus that explains a return was on the card at its end, so the wallet did not get it. Otherwise the wallet did.
      if (way === "up") got += part === "spent" ? itself : -spent;
    }
  }
  await noteSpend(tx, card, { got });
  return drawn;
}

interface Explained {
  item: Item;
  part: Part;
  cents: bigint;
  /** The part of `cents` that the wallet gets now. */
  toWallet: bigint;
}

async function explainedReturn(tx: Tx, card: CardRow, { item, part, cents, toWallet }: Explained): Promise<Transfer[]> {
  const taken = { cents, from: accountOf(part), to: SETTLEMENT_ISSUER, suffix: "issuer", ...explained } as const;
  const transfers = part === "open" ? [transferOfMove(item, taken)] : [];
  return toWallet === 0n ? transfers : [...transfers, ...(await toWalletNow(tx, card, toWallet, keyOfMove(item)))];
}

/**
 * Returns the transfers that undo an earlier exchange because an operation was executed after all: US cents for the wallet, or below zero
 * from it. They use the operation's own rate, so that the merchant pays no spread because of the order of the issuer's reports.
 */
function undone(
  card: CardRow,
  operation: OperationRow,
  cents: bigint,
  suffix: "given_back" | "taken_back" | "refund_taken_back",
): Transfer[] {
  if (cents === 0n) return [];
  const { rate, mid } = ratesOf(operation);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: card.id, exchange_rate: String(rate) };
  return exchanged(card, money(cents, "USD"), { key: `${operation.id}:${suffix}`, rates: { rate, mid }, meta });
}

async function toWalletNow(tx: Tx, card: CardRow, cents: bigint, key: string): Promise<Transfer[]> {
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: card.id, exchange_rate: String(rate) };
  return exchanged(card, money(cents, "USD"), { key, rates: { rate, mid }, meta });
}

/**
 * Adds to the US cents that the wallet has paid for a card's late spend, and to those that it has got from late spend. Negative: a late funding has
 * given cents back, or a late unload has taken cents back.
 */
export async function noteSpend(
  tx: Tx,
  { merchantId, id }: CardRow,
  { paid = 0n, got = 0n }: { paid?: bigint; got?: bigint },
): Promise<void> {
  if (paid === 0n && got === 0n) return;
  await tx
    .update(cards)
    .set({
      paidForSpend: sql`${cards.paidForSpend} + ${String(paid)}::bigint`,
      gotOfSpend: sql`${cards.gotOfSpend} + ${String(got)}::bigint`,
    })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

/**
 * Returns the transfers that settle a funding of a terminated card that the issuer has executed after all. Its dollars are on the card's
 * account. The wallet gets back the part that the issuer had returned, and the part with which the wallet has paid for late spend. The part
 * that nothing explains stays on the card, for `bringToZero`.
 */
export async function settleLateFunding(tx: Tx, card: CardRow, operation: OperationRow): Promise<Transfer[]> {
  const lacked = await drawOnKept(tx, card, operation.amount, { bySpend: false });
  const credited = await drawOnCredited(tx, card, lacked.rest, { bySpend: false });
  const returned = await drawOnReturned(tx, card, { surplus: 0n, deficit: 0n, rest: credited.rest });
  const paid = shared(returned.rest, card.paidForSpend);
  await noteSpend(tx, card, { paid: -paid });
  // Stored as if its dollars had covered that spend on the card, because an unload may later prove to have taken them.
  if (paid !== 0n) await putInSuspense(tx, card, { kind: "kept_by_issuer", cents: paid, spent: paid });
  // Refunds of shops filled a deficit that this funding has caused, so the wallet has not got them yet.
  const filled = -(await takePart(tx, card, "spent", paid - returned.rest));
  const givenBack = undone(card, operation, paid + filled, "given_back");
  return [...lacked.transfers, ...credited.transfers, ...returned.transfers, ...givenBack];
}

/**
 * Returns the US cents of a terminated card that an unload may have taken: cents on the card; cents that the issuer kept, even if an
 * operator, spend or a late funding has used them since; and, `withRefunds`, refunds of shops that the wallet has got.
 */
export async function coverOfUnload(tx: Tx, card: CardRow, { withRefunds }: { withRefunds: boolean }): Promise<bigint> {
  const items = await unexplainedItems(tx, card, "kept_by_issuer");
  const kept = items.map(({ open, credited, dismissed, spent }) => open + credited + dismissed + spent).filter((cents) => cents > 0n);
  const other = await otherOnCard(tx, card);
  return kept.reduce((sum, cents) => sum + cents, (withRefunds ? card.gotOfSpend : 0n) + (other > 0n ? other : 0n));
}

/**
 * Returns the transfers that cover an unload of a terminated card that its issuer turned out to have executed: `taken` US cents, at most
 * `coverOfUnload`, have left the card's account. If an operator has credited the kept cents, the wallet gives them back. If spend has used
 * them, the wallet pays for that spend now. Last, the wallet gives back refunds that it got, because the unload had taken those before.
 */
export async function settleLateUnload(tx: Tx, card: CardRow, operation: OperationRow, taken: bigint): Promise<Transfer[]> {
  const other = await otherOnCard(tx, card);
  const lacking = other < -taken ? -taken : other < 0n ? other : 0n;
  const kept = await drawOnKept(tx, card, lacking, { bySpend: false });
  const credited = await takePart(tx, card, "credited", -kept.rest);
  const spent = await takePart(tx, card, "spent", -kept.rest - credited);
  const got = shared(-kept.rest - credited - spent, card.gotOfSpend);
  // Stored as if the wallet had paid for spend, because a late funding may later show that the unload took other dollars.
  await noteSpend(tx, card, { paid: spent + got, got: -got });
  const paid = spent === 0n ? [] : await toWalletNow(tx, card, -spent, `${operation.id}:paid_for_spend`);
  return [
    ...kept.transfers,
    ...undone(card, operation, -credited, "taken_back"),
    ...paid,
    ...undone(card, operation, -got, "refund_taken_back"),
  ];
}

/** Takes at most `wanted` US cents from one part of the cents that an issuer kept; below zero, that a card lacked. Returns the number. */
async function takePart(tx: Tx, card: CardRow, part: Part, wanted: bigint): Promise<bigint> {
  let taken = 0n;
  for (const item of wanted === 0n ? [] : await unexplainedItems(tx, card, "kept_by_issuer")) {
    const cents = shared(wanted - taken, item[part]);
    if (cents === 0n) continue;
    await explainPart(tx, item, part, cents);
    taken += cents;
  }
  return taken;
}
