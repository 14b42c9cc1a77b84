import { and, eq, inArray, ne, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { cardTransactions } from "#db/schema/cards.ts";
import { suspenseItems } from "#db/schema/ledger.ts";
import { newId } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { formatMoney, type Money, money } from "#lib/money.ts";
import { raiseOperatorAlert } from "../alerts/index.ts";
import { lastRate, toNairaDown, toNairaUp } from "../exchange/index.ts";
import { cardAccount, SETTLEMENT_ISSUER, SUSPENSE_ISSUER, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow, OperationRow, TransactionRow } from "./card.ts";
import { cardToWallet, walletToCard } from "./journal.ts";
import { withBalance } from "./rows.ts";
import { keyOf } from "./spend-effect.ts";

// A card that is at its end holds nothing but what shops had authorized. Its wallet gets what our own account and the issuer's list of
// spend explain, and pays what they explain that it lacks. Every other difference waits in suspense, where later spend may explain it.

const usd = (minor: bigint) => money(minor, "USD");
const min = (a: bigint, b: bigint) => (a < b ? a : b);
const size = (cents: bigint) => (cents < 0n ? -cents : cents);
const signOf = (cents: bigint) => (cents < 0n ? -1n : 1n);
/** The part of `cents` that both have: nothing where one is above zero and the other below. */
const shared = (cents: bigint, other: bigint) => (cents * other > 0n ? signOf(cents) * min(size(cents), size(other)) : 0n);

interface Price {
  /** US dollars that leave the card for the wallet; below zero, what the wallet pays. */
  credited: Money;
  rate: bigint;
  mid: bigint;
  walletAmount: bigint;
}

export interface End {
  transfers: Transfer[];
  /** Undefined where nothing is exchanged. */
  price: Price | undefined;
}

/** What a termination posts of the balance that the issuer says it returned: at most what the card's account has. The card is locked. */
export async function settleEnd(tx: Tx, card: CardRow, { id, reference }: OperationRow, returned: Money): Promise<End> {
  const { balance } = await withBalance(tx, card);
  const credited = shared(returned.minor, balance.minor);
  const price = credited === 0n ? undefined : await priceOf(tx, card, credited);
  const meta = { type: "card_terminate", reference, ...(price && { exchange_rate: String(price.rate) }) };
  const transfers = price ? exchanged(card, credited, { key: id, rates: price, meta }) : [];
  const rest = await tidy(tx, card, { left: balance.minor - credited, returned: returned.minor - credited });
  return { transfers: [...transfers, ...rest], price };
}

type Exchange = Parameters<typeof cardToWallet>[2];

const exchanged = (card: CardRow, cents: bigint, exchange: Exchange): Transfer[] =>
  cents > 0n ? cardToWallet(card, usd(cents), exchange) : walletToCard(card, usd(-cents), exchange);

async function priceOf(tx: Tx, { merchantId, provider }: CardRow, cents: bigint): Promise<Price> {
  const { buy, mid, sell } = await lastRate(tx, { id: merchantId, mode: modeOf(provider) });
  return cents > 0n
    ? { credited: usd(cents), rate: buy, mid, walletAmount: toNairaDown(usd(cents), buy).minor }
    : { credited: usd(cents), rate: sell, mid, walletAmount: toNairaUp(usd(-cents), sell).minor };
}

interface Difference {
  /** Cents that are left on the card's account; below zero, that it lacks. */
  left: bigint;
  /** Cents that the issuer says it returned, beyond what the account had. */
  returned: bigint;
}

/**
 * Brings the account of a card that is at its end to zero. Spend that came late explains what is left: it goes to the wallet at the unload
 * rate, or is paid by it at the fund rate. What nothing explains goes to suspense. Returns the transfers to post.
 */
export async function tidy(tx: Tx, card: CardRow, { left, returned }: Difference): Promise<Transfer[]> {
  const transfers: Transfer[] = [];
  let rest = left;
  for (const item of rest === 0n ? [] : await openItems(tx, card, "kept_by_issuer")) {
    const explained = shared(-rest, item.open);
    if (explained !== 0n) transfers.push(await takeFrom(tx, item, { cents: explained, to: cardAccount(card.id), suffix: "card" }));
    rest += explained;
  }
  const late = await lateSpend(tx, card);
  const passed = explainedBy(late, rest);
  if (passed !== 0n) transfers.push(...(await passOn(tx, card, { late, cents: passed })));
  rest -= passed;
  let explained = passed;
  for (const item of left === 0n ? [] : await openItems(tx, card, "returned_by_issuer")) {
    const bySpend = shared(explained, item.open);
    // A funding that was charged after the end: the issuer had returned it.
    const byItself = bySpend === item.open ? 0n : shared(rest, item.open - bySpend);
    if (bySpend + byItself === 0n) continue;
    transfers.push(await takeFrom(tx, item, { cents: bySpend + byItself, to: SETTLEMENT_ISSUER, suffix: "issuer" }));
    if (byItself !== 0n) transfers.push(...(await returnedToWallet(tx, card, item, byItself)));
    explained -= bySpend;
    rest -= byItself;
  }
  if (rest !== 0n)
    transfers.push(await keep(tx, card, { kind: "kept_by_issuer", cents: rest, from: cardAccount(card.id), suffix: "card" }));
  if (returned !== 0n) {
    transfers.push(await keep(tx, card, { kind: "returned_by_issuer", cents: returned, from: SETTLEMENT_ISSUER, suffix: "issuer" }));
  }
  await markPassedOn(tx, card, late);
  return transfers;
}

/** An authorization that holds something takes it; one that expired has given back what it held. */
const isExpired = ({ type, openAmount }: TransactionRow) => type === "AUTHORIZATION" && openAmount === 0n;
const gives = (row: TransactionRow) => row.type === "REFUND" || row.type === "REVERSAL" || isExpired(row);

/** The part of `cents` that spend can have brought about: what came back to the card, or what was taken off it. */
function explainedBy(late: TransactionRow[], cents: bigint): bigint {
  const about = late.filter((row) => gives(row) === cents > 0n);
  const most = about.reduce((sum, { amount }) => sum + amount, 0n);
  return signOf(cents) * min(size(cents), most);
}

async function passOn(tx: Tx, card: CardRow, { late, cents }: { late: TransactionRow[]; cents: bigint }): Promise<Transfer[]> {
  const [newest] = late;
  if (!newest) throw new Error(`nothing explains what card ${card.id} has left`);
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: newest.id, exchange_rate: String(rate) };
  // An authorization may be late twice: when it is recorded, and when it expires.
  const key = `${keyOf(newest.id)}${isExpired(newest) ? ":expired" : ""}:passed_on`;
  return exchanged(card, cents, { key, rates: { rate, mid }, meta });
}

async function returnedToWallet(tx: Tx, card: CardRow, { id, moves }: Item, cents: bigint): Promise<Transfer[]> {
  const { rate, mid } = await priceOf(tx, card, cents);
  const meta = { type: cents > 0n ? "card_refund" : "card_charge", reference: card.id, exchange_rate: String(rate) };
  return exchanged(card, cents, { key: `${id}:${moves + 1}`, rates: { rate, mid }, meta });
}

/** Cents that the issuer kept of a card that has ended, and that wait in suspense. */
export async function keptOf(tx: Tx, card: CardRow): Promise<bigint> {
  const items = await openItems(tx, card, "kept_by_issuer");
  return items.reduce((sum, { open }) => (open > 0n ? sum + open : sum), 0n);
}

const isLate = ({ merchantId, id }: CardRow) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, id), eq(cardTransactions.awaitsPassingOn, true));

/** Newest first. */
async function lateSpend(tx: Tx, card: CardRow): Promise<TransactionRow[]> {
  const rows = await tx.select().from(cardTransactions).where(isLate(card));
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

/** The card goes on: its spend is not late. */
export async function forgetLateSpend(tx: Tx, card: CardRow): Promise<void> {
  await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isLate(card));
}

async function markPassedOn(tx: Tx, card: CardRow, late: TransactionRow[]): Promise<void> {
  const ids = late.map(({ id }) => id);
  if (ids.length > 0)
    await tx
      .update(cardTransactions)
      .set({ awaitsPassingOn: false })
      .where(and(isLate(card), inArray(cardTransactions.id, ids)));
}

type Item = typeof suspenseItems.$inferSelect;

const openItems = (tx: Tx, { merchantId, id }: CardRow, kind: Item["kind"]): Promise<Item[]> =>
  tx
    .select()
    .from(suspenseItems)
    .where(
      and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.cardId, id), eq(suspenseItems.kind, kind), ne(suspenseItems.open, 0n)),
    )
    .orderBy(suspenseItems.id);

/** Takes what spend explains out of suspense. */
async function takeFrom(tx: Tx, item: Item, { cents, to, suffix }: { cents: bigint; to: string; suffix: string }): Promise<Transfer> {
  const { merchantId, id, open, moves, cardId } = item;
  const isClosed = open === cents;
  await tx
    .update(suspenseItems)
    .set({
      open: open - cents,
      moves: moves + 1,
      ...(isClosed && { resolvedAt: sql`now()`, resolution: "Spend that came later explains it." }),
    })
    .where(and(eq(suspenseItems.merchantId, merchantId), eq(suspenseItems.id, id)));
  const meta = { type: "suspense_explained", reference: cardId };
  return between({ key: `${id}:${moves + 1}:${suffix}`, from: SUSPENSE_ISSUER, to, cents, meta });
}

/** Puts a difference that nothing explains into suspense, and tells the operators. */
async function keep(
  tx: Tx,
  { merchantId, id: cardId, provider }: CardRow,
  { kind, cents, from, suffix }: { kind: Item["kind"]; cents: bigint; from: string; suffix: string },
): Promise<Transfer> {
  const id = newId("suspenseItem");
  await tx.insert(suspenseItems).values({ merchantId, id, kind, cardId, amount: cents, open: cents });
  log().fatal({ cardId, merchantId, kind, cents: String(cents) }, "a card ended with a difference that its spend does not explain");
  const amount = formatMoney(usd(cents));
  const message =
    kind === "kept_by_issuer"
      ? `Card ${cardId} of ${merchantId} ended, and ${amount} of it neither came back nor was spent.`
      : `Card ${cardId} of ${merchantId} ended, and ${provider} says that it returned ${amount} more than our books explain.`;
  await raiseOperatorAlert(tx, modeOf(provider), { type: "suspense.opened", resourceId: id, message });
  return between({ key: `${id}:0:${suffix}`, from, to: SUSPENSE_ISSUER, cents, meta: { type: "suspense", reference: cardId } });
}

/** Cents from one account to another; below zero, back. */
function between({
  key,
  from,
  to,
  cents,
  meta,
}: {
  key: string;
  from: string;
  to: string;
  cents: bigint;
  meta: Record<string, string>;
}): Transfer {
  const [debit, credit] = cents > 0n ? [from, to] : [to, from];
  return { kind: "post", key, debit, credit, amount: usd(size(cents)), meta };
}
