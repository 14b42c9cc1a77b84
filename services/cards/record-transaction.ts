import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardTransactions } from "#db/schema/cards.ts";
import { newId } from "#lib/ids.ts";
import { type Money, money } from "#lib/money.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import { appendEvent } from "../events/index.ts";
import { lastRate } from "../exchange/index.ts";
import { cardAccount, mustPost, SETTLEMENT_ISSUER, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow, TransactionRow } from "./card.ts";
import { cardToWallet, walletToCard } from "./journal.ts";
import { lockCard } from "./rows.ts";
import { presentTransaction } from "./schemas.ts";

const usd = (minor: bigint) => money(minor, "USD");

/**
 * Records one of a card's transactions, once: row, ledger and event together. It moves the card's own account and never the wallet,
 * unless the card is terminated: then what comes goes on to the wallet, and what was not authorized before is paid by it. False when it
 * was known. Locks: card, ledger accounts, event counter.
 */
export async function recordTransaction({ merchantId, id }: CardRow, spend: SpendTransaction): Promise<boolean> {
  return transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (await findByReference(tx, card, spend.transactionReference)) return false;
    const related = spend.relatedReference === null ? undefined : await findByReference(tx, card, spend.relatedReference);
    const row = await store(tx, card, spend, related);
    const effect = effectOf(row, related);
    const transfers = [...effect.transfers, ...(card.status === "TERMINATED" ? await passOn(tx, card, row, effect.change) : [])];
    if (transfers.length > 0) await mustPost(tx, merchantId, transfers);
    if (effect.open) await keepOpen(tx, effect.open);
    await appendEvent(tx, merchantId, "card.transaction", presentTransaction(row));
    return true;
  });
}

async function findByReference(tx: Tx, { merchantId, id }: CardRow, reference: string): Promise<TransactionRow | undefined> {
  const [row] = await tx
    .select()
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, id),
        eq(cardTransactions.providerTransactionId, reference),
      ),
    );
  return row;
}

async function store(tx: Tx, card: CardRow, spend: SpendTransaction, related: TransactionRow | undefined): Promise<TransactionRow> {
  const { type, amount, merchant, declineReason, occurredAt, transactionReference } = spend;
  const id = newId("cardTransaction");
  const isAuthorization = type === "AUTHORIZATION";
  const [row] = await tx
    .insert(cardTransactions)
    .values({
      merchantId: card.merchantId,
      cardId: card.id,
      id,
      providerTransactionId: transactionReference,
      type,
      status: isAuthorization ? "PENDING" : type === "DECLINE" ? "DECLINED" : "COMPLETED",
      amount: amount.minor,
      currency: amount.currency,
      ...(isAuthorization && { openAmount: amount.minor, holdKey: keyOf(id) }),
      merchantName: merchant.name,
      categoryCode: merchant.categoryCode,
      city: merchant.city,
      country: merchant.country,
      declineReason: type === "DECLINE" ? (declineReason ?? "not given") : null,
      relatedTransactionId: related?.id ?? null,
      occurredAt,
    })
    .returning();
  if (!row) throw new Error(`transaction ${id} was not stored`);
  return row;
}

const keyOf = (transactionId: string) => `card_transaction:${transactionId}`;

/** What is left of an authorization. */
interface Open {
  row: TransactionRow;
  amount: bigint;
  holdKey: string | null;
}

interface Effect {
  transfers: Transfer[];
  /** How the card's balance, holds included, changes: cents. */
  change: bigint;
  open?: Open;
}

const NOTHING: Effect = { transfers: [], change: 0n };

function effectOf(row: TransactionRow, related: TransactionRow | undefined): Effect {
  const account = cardAccount(row.cardId);
  const key = keyOf(row.id);
  const meta = { type: "card_transaction", reference: row.id };
  const out = { debit: account, credit: SETTLEMENT_ISSUER, meta };
  switch (row.type) {
    case "AUTHORIZATION":
      return { transfers: [{ kind: "hold", key, amount: usd(row.amount), ...out }], change: -row.amount };
    case "CLEARING":
      return resolve(row, related, "capture");
    case "REVERSAL":
      return resolve(row, related, "release");
    case "REFUND":
      return {
        transfers: [{ kind: "post", key, debit: SETTLEMENT_ISSUER, credit: account, amount: usd(row.amount), meta }],
        change: row.amount,
      };
    case "FEE":
      return { transfers: [{ kind: "post", key, amount: usd(row.amount), ...out }], change: -row.amount };
    case "DECLINE":
      return NOTHING;
  }
}

/**
 * A clearing takes what its authorization holds, a reversal gives it back: all of it or a part, and then the rest is held anew. What
 * goes beyond the authorization, or has none, is taken or given on its own.
 */
function resolve(row: TransactionRow, related: TransactionRow | undefined, how: "capture" | "release"): Effect {
  const account = cardAccount(row.cardId);
  const key = keyOf(row.id);
  const meta = { type: "card_transaction", reference: row.id };
  const open = related?.holdKey ? related.openAmount : 0n;
  const resolved = open < row.amount ? open : row.amount;
  const [beyond, rest] = [row.amount - resolved, open - resolved];
  const transfers: Transfer[] = [];
  if (related?.holdKey && resolved > 0n) {
    const target = related.holdKey;
    transfers.push(
      how === "capture" ? { kind: "capture", key, target, amount: usd(resolved), meta } : { kind: "release", key, target, meta },
    );
    if (rest > 0n) transfers.push({ kind: "hold", key: `${key}:rest`, debit: account, credit: SETTLEMENT_ISSUER, amount: usd(rest), meta });
  }
  if (beyond > 0n) {
    const [debit, credit] = how === "capture" ? [account, SETTLEMENT_ISSUER] : [SETTLEMENT_ISSUER, account];
    transfers.push({ kind: "post", key: `${key}:beyond`, debit, credit, amount: usd(beyond), meta });
  }
  const change = how === "capture" ? -beyond : row.amount;
  return {
    transfers,
    change,
    ...(related?.holdKey && resolved > 0n && { open: { row: related, amount: rest, holdKey: rest > 0n ? `${key}:rest` : null } }),
  };
}

async function keepOpen(tx: Tx, { row, amount, holdKey }: Open): Promise<void> {
  // An authorization of which anything was cleared has been used; only one that went back as a whole was reversed.
  const status = amount > 0n ? "PENDING" : (await wasCleared(tx, row)) ? "COMPLETED" : "REVERSED";
  await tx
    .update(cardTransactions)
    .set({ openAmount: amount, holdKey, status })
    .where(and(eq(cardTransactions.merchantId, row.merchantId), eq(cardTransactions.cardId, row.cardId), eq(cardTransactions.id, row.id)));
}

async function wasCleared(tx: Tx, { merchantId, cardId, id }: TransactionRow): Promise<boolean> {
  const rows = await tx
    .select({ id: cardTransactions.id })
    .from(cardTransactions)
    .where(
      and(
        eq(cardTransactions.merchantId, merchantId),
        eq(cardTransactions.cardId, cardId),
        eq(cardTransactions.relatedTransactionId, id),
        eq(cardTransactions.type, "CLEARING"),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** A terminated card holds nothing but what was authorized before: refunds and releases go to the wallet, other charges are paid by it. */
async function passOn(tx: Tx, card: CardRow, row: TransactionRow, change: bigint): Promise<Transfer[]> {
  if (change === 0n) return [];
  const { buy, mid, sell } = await lastRate(tx, { id: card.merchantId, mode: modeOf(card.provider) });
  const rate = change > 0n ? buy : sell;
  const meta = { type: change > 0n ? "card_refund" : "card_charge", reference: row.id, exchange_rate: String(rate) };
  const exchange = { key: `${keyOf(row.id)}:passed_on`, rates: { rate, mid }, meta };
  const amount: Money = usd(change > 0n ? change : -change);
  return change > 0n ? cardToWallet(tx, card, amount, exchange) : walletToCard(card, amount, exchange);
}
