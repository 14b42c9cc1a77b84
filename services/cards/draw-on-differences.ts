import { and, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { money } from "#lib/money.ts";
import { cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import { exchanged, priceOf } from "./exchange-with-wallet.ts";
import { accountOf, explainPart, type Item, keyOfMove, type Part, transferOfMove, unexplainedItems } from "./suspense-items.ts";

// One account of differences for each card. Spend, corrections and operators all draw on it under the card's lock, and each takes from it
// what it explains. So the wallet ends the same in whatever order and groups they come: nothing is forgotten before it is explained.

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
 * Takes what a card lacks (US cents below zero) from the cents that its issuer kept and that no operator credited. The wallet does not move.
 * `bySpend`: a shop took them, which a late unload may have to know.
 */
export async function drawOnKept(tx: Tx, card: CardRow, left: bigint, { bySpend }: { bySpend: boolean }): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest: left };
  for (const item of left === 0n ? [] : await unexplainedItems(tx, card, "kept_by_issuer")) {
    let now = item;
    for (const part of ["open", "dismissed"] as const) {
      const cents = shared(-drawn.rest, now[part]);
      if (cents === 0n) continue;
      now = await explainPart(tx, now, part, cents, { bySpend });
      drawn.transfers.push(transferOfMove(now, { cents, from: accountOf(part), to: cardAccount(card.id), suffix: "card", ...explained }));
      drawn.rest += cents;
    }
  }
  return drawn;
}

/** Gives the issuer what a card has left (US cents) and an operator has credited already. The wallet does not move. */
export async function drawOnCredited(tx: Tx, card: CardRow, left: bigint): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest: left };
  for (const item of left === 0n ? [] : await unexplainedItems(tx, card, "returned_by_issuer")) {
    const cents = shared(drawn.rest, item.credited);
    if (cents === 0n) continue;
    const now = await explainPart(tx, item, "credited", cents);
    drawn.transfers.push(transferOfMove(now, { cents, from: cardAccount(card.id), to: SETTLEMENT_ISSUER, suffix: "card", ...explained }));
    drawn.rest -= cents;
  }
  return drawn;
}

/**
 * Marks the cents that an issuer returned beyond the books as explained: by late spend (`surplus`, or below zero `deficit`), which moves the wallet
 * by itself, and by `rest`, cents of a funding that was charged after the termination. The wallet gets the latter, because the issuer had returned
 * them before.
 */
export async function drawOnReturned(
  tx: Tx,
  card: CardRow,
  { surplus, deficit, rest }: { surplus: bigint; deficit: bigint; rest: bigint },
): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest };
  const bySpend = { up: surplus, down: deficit };
  for (const item of await unexplainedItems(tx, card, "returned_by_issuer")) {
    const way = item.amount > 0n ? "up" : "down";
    let now = item;
    for (const part of ["open", "dismissed"] as const) {
      const spent = shared(bySpend[way], now[part]);
      const itself = spent === now[part] ? 0n : shared(drawn.rest, now[part] - spent);
      if (spent + itself === 0n) continue;
      now = await explainPart(tx, now, part, spent + itself);
      drawn.transfers.push(...(await explainedReturn(tx, card, { item: now, part, cents: spent + itself, toWallet: itself })));
      bySpend[way] -= spent;
      drawn.rest -= itself;
    }
  }
  return drawn;
}

interface Explained {
  item: Item;
  part: Part;
  cents: bigint;
  /** US cents of these that the wallet gets now. */
  toWallet: bigint;
}

async function explainedReturn(tx: Tx, card: CardRow, { item, part, cents, toWallet }: Explained): Promise<Transfer[]> {
  const taken = { cents, from: accountOf(part), to: SETTLEMENT_ISSUER, suffix: "issuer", ...explained } as const;
  const transfers = part === "open" ? [transferOfMove(item, taken)] : [];
  return toWallet === 0n ? transfers : [...transfers, ...(await toWalletNow(tx, card, toWallet, keyOfMove(item)))];
}

async function toWalletNow(tx: Tx, card: CardRow, cents: bigint, key: string): Promise<Transfer[]> {
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: card.id, exchange_rate: String(rate) };
  return exchanged(card, money(cents, "USD"), { key, rates: { rate, mid }, meta });
}

/** Notes the US cents that the wallet has paid for late spend of a card, or, below zero, that a late funding has given back. */
export async function notePaidForSpend(tx: Tx, { merchantId, id }: CardRow, cents: bigint): Promise<void> {
  if (cents === 0n) return;
  await tx
    .update(cards)
    .set({ paidForSpend: sql`${cards.paidForSpend} + ${String(cents)}::bigint` })
    .where(and(eq(cards.merchantId, merchantId), eq(cards.id, id)));
}

/**
 * Returns the transfers that settle a funding of a terminated card that its issuer turned out to have executed; its dollars are on the card's
 * account. The wallet gets them back where the issuer had returned them, and where the wallet has paid for spend that was made of them. The part
 * that nothing explains stays on the card, for `bringToZero`.
 */
export async function settleLateFunding(tx: Tx, card: CardRow, operationId: string, amount: bigint): Promise<Transfer[]> {
  const lacked = await drawOnKept(tx, card, amount, { bySpend: false });
  const credited = await drawOnCredited(tx, card, lacked.rest);
  const returned = await drawOnReturned(tx, card, { surplus: 0n, deficit: 0n, rest: credited.rest });
  const back = shared(returned.rest, card.paidForSpend);
  await notePaidForSpend(tx, card, -back);
  const givenBack = back === 0n ? [] : await toWalletNow(tx, card, back, `${operationId}:given_back`);
  return [...lacked.transfers, ...credited.transfers, ...returned.transfers, ...givenBack];
}

/** Returns the US cents of a terminated card that an unload may turn out to have taken: its issuer kept them, or spend has explained them since. */
export async function keptOf(tx: Tx, card: CardRow): Promise<bigint> {
  const items = await unexplainedItems(tx, card, "kept_by_issuer");
  return items.reduce((sum, { open, dismissed, spent }) => (open + dismissed + spent > 0n ? sum + open + dismissed + spent : sum), 0n);
}

/**
 * Returns the transfers that cover an unload of a terminated card that its issuer turned out to have executed: `taken` US cents, at most `keptOf`,
 * have left the card's account. Where spend has drawn on the difference before, the wallet pays for that spend now.
 */
export async function settleLateUnload(tx: Tx, card: CardRow, operationId: string, taken: bigint): Promise<Transfer[]> {
  const kept = await drawOnKept(tx, card, -taken, { bySpend: false });
  let rest = kept.rest;
  for (const item of rest === 0n ? [] : await unexplainedItems(tx, card, "kept_by_issuer")) {
    const cents = shared(-rest, item.spent);
    if (cents === 0n) continue;
    await explainPart(tx, item, "spent", cents);
    rest += cents;
  }
  const paid = rest - kept.rest;
  await notePaidForSpend(tx, card, paid);
  return [...kept.transfers, ...(paid === 0n ? [] : await toWalletNow(tx, card, -paid, `${operationId}:paid_for_spend`))];
}
