import type { Tx } from "#db/client.ts";
import { money } from "#lib/money.ts";
import { cardAccount, SETTLEMENT_ISSUER, type Transfer } from "../ledger/index.ts";
import type { CardRow } from "./card.ts";
import { exchanged, priceOf } from "./exchange-with-wallet.ts";
import { accountOf, explainPart, type Item, keyOfMove, type Part, transferOfMove, unexplainedItems } from "./suspense-items.ts";

// One account of differences for each card. Spend, corrections and operators all draw on it under the card's lock, and each takes from it
// what it explains. So the wallet ends the same in whatever order they come: an operator's decision is forgotten only once it is explained.

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
 * Settles what a card has left (US cents; below zero, what it lacks) where the wallet has it already: the issuer kept what the card lacks, or
 * an operator credited what it has left. The wallet does not move.
 */
export async function drawWithoutWallet(tx: Tx, card: CardRow, left: bigint): Promise<Drawn> {
  const kept = await drawOnKept(tx, card, left);
  const drawn: Drawn = { transfers: kept.transfers, rest: kept.rest };
  for (const item of drawn.rest === 0n ? [] : await unexplainedItems(tx, card, "returned_by_issuer")) {
    const cents = shared(drawn.rest, item.credited);
    if (cents === 0n) continue;
    const now = await explainPart(tx, item, "credited", cents);
    drawn.transfers.push(transferOfMove(now, { cents, from: cardAccount(card.id), to: SETTLEMENT_ISSUER, suffix: "card", ...explained }));
    drawn.rest -= cents;
  }
  return drawn;
}

/** Takes what a card lacks from the cents that its issuer kept and that no operator credited. */
export async function drawOnKept(tx: Tx, card: CardRow, left: bigint): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest: left };
  for (const item of left === 0n ? [] : await unexplainedItems(tx, card, "kept_by_issuer")) {
    let now = item;
    for (const part of ["open", "dismissed"] as const) {
      const cents = shared(-drawn.rest, now[part]);
      if (cents === 0n) continue;
      now = await explainPart(tx, now, part, cents);
      drawn.transfers.push(transferOfMove(now, { cents, from: accountOf(part), to: cardAccount(card.id), suffix: "card", ...explained }));
      drawn.rest += cents;
    }
  }
  return drawn;
}

/** Returns the US cents of a terminated card that its issuer kept and that `drawOnKept` can take. */
export async function keptOf(tx: Tx, card: CardRow): Promise<bigint> {
  const items = await unexplainedItems(tx, card, "kept_by_issuer");
  return items.reduce((sum, { open, dismissed }) => (open + dismissed > 0n ? sum + open + dismissed : sum), 0n);
}

/**
 * Marks the cents that its issuer returned beyond the books as explained: by `passed`, spend that the wallet has got already, and by `rest`,
 * cents of a funding that was charged after the termination. The wallet gets the latter, because the issuer had returned them before.
 */
export async function drawOnReturned(tx: Tx, card: CardRow, { passed, rest }: { passed: bigint; rest: bigint }): Promise<Drawn> {
  const drawn: Drawn = { transfers: [], rest };
  let bySpend = passed;
  for (const item of await unexplainedItems(tx, card, "returned_by_issuer")) {
    let now = item;
    for (const part of ["open", "dismissed"] as const) {
      const spent = shared(bySpend, now[part]);
      const itself = spent === now[part] ? 0n : shared(drawn.rest, now[part] - spent);
      if (spent + itself === 0n) continue;
      now = await explainPart(tx, now, part, spent + itself);
      drawn.transfers.push(...(await explainedReturn(tx, card, { item: now, part, cents: spent + itself, toWallet: itself })));
      bySpend -= spent;
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
  const inSuspense = part === "open";
  const taken = { cents, from: accountOf(part), to: SETTLEMENT_ISSUER, suffix: "issuer", ...explained } as const;
  const transfers = inSuspense ? [transferOfMove(item, taken)] : [];
  if (toWallet === 0n) return transfers;
  const { rate, mid } = await priceOf(tx, card, toWallet);
  const meta = { type: toWallet > 0n ? "card_refund" : "card_charge", reference: card.id, exchange_rate: String(rate) };
  return [...transfers, ...exchanged(card, money(toWallet, "USD"), { key: keyOfMove(item), rates: { rate, mid }, meta })];
}
