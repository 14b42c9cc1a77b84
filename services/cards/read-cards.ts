import { and, desc, eq, gt, lt, sql as sqlText } from "drizzle-orm";
import { db, type Sql, sql, type Tx } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { money } from "#lib/money.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../context.ts";
import { cardAccount } from "../ledger/index.ts";
import { decodeCursor, type Page, toPage, type Wanted } from "../pagination.ts";
import type { Card, CardOperation, CardRow } from "./card.ts";
import type { ListCardsQuery } from "./contract.ts";
import { findCardLocked, findOperation, isEnding, withBalance, withCardBalance } from "./rows.ts";
import type { CardStatus, Obstacles } from "./state-machine.ts";

/** Reads card and balance in one statement, so that both are of one moment. */
export async function findCard({ merchant }: MerchantContext, id: string): Promise<Card | undefined> {
  const [row] = await db()
    .select({ card: cards, cents: sqlText<bigint | null>`ledger_available(${ledgerAccounts})` })
    .from(cards)
    .leftJoin(ledgerAccounts, and(eq(ledgerAccounts.merchantId, cards.merchantId), eq(ledgerAccounts.account, cardAccount(id))))
    .where(and(eq(cards.merchantId, merchant.id), eq(cards.id, id)));
  return row && { ...row.card, balance: money(BigInt(row.cents ?? 0n), "USD") };
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCard(ctx: MerchantContext, id: string): Promise<Card> {
  const card = await findCard(ctx, id);
  if (!card) throw notFound("card");
  return card;
}

/** As `getCard`; nobody else changes the card, or what it holds, until the transaction ends. */
export async function lockCardFor(tx: Tx, { merchant }: MerchantContext, id: string): Promise<Card> {
  const row = await findCardLocked(tx, merchant.id, id);
  if (!row) throw notFound("card");
  return withBalance(tx, row);
}

/** What stands in the way of an action on a card that is locked. */
export const obstaclesOf = async (tx: Tx, card: CardRow): Promise<Obstacles> => ({
  isEnding: await isEnding(tx, card),
  isBlocked: card.blockedAt !== null,
});

/** An operation on a card of the merchant. Throws RESOURCE_NOT_FOUND. */
export async function getOperation({ merchant }: MerchantContext, id: string): Promise<CardOperation> {
  const row = await findOperation(merchant.id, id);
  if (!row) throw notFound("card operation");
  return withCardBalance(db(), row);
}

/** As `getOperation`, of one card. */
export async function getOperationOf(ctx: MerchantContext, cardId: string, id: string): Promise<CardOperation> {
  const operation = await getOperation(ctx, id);
  if (operation.cardId !== cardId) throw notFound("card operation");
  return operation;
}

/** What was asked of a card, newest first. Throws RESOURCE_NOT_FOUND. */
export async function listOperations(ctx: MerchantContext, cardId: string, { limit, cursor }: Wanted): Promise<Page<CardOperation>> {
  const card = await getCard(ctx, cardId);
  const owner = `${card.merchantId}/cards/${card.id}/operations`;
  const before = cursor ? decodeCursor(owner, cursor) : undefined;
  const rows = await db()
    .select()
    .from(cardOperations)
    .where(
      and(
        eq(cardOperations.merchantId, card.merchantId),
        eq(cardOperations.cardId, card.id),
        gt(cardOperations.cardId, ""),
        before === undefined ? undefined : lt(cardOperations.id, before),
      ),
    )
    .orderBy(desc(cardOperations.id))
    .limit(limit + 1);
  const operations = rows.map((row): CardOperation => ({ ...row, cardBalance: card.balance }));
  return toPage(owner, operations, limit, ({ id }) => id);
}

/** Written out, not a parameter: only then does a plan use the partial index of that status. */
const WITH_STATUS: Record<CardStatus, (query: Sql) => ReturnType<Sql>> = {
  PENDING: (query) => query`and c.status = 'PENDING'`,
  ACTIVE: (query) => query`and c.status = 'ACTIVE'`,
  FROZEN: (query) => query`and c.status = 'FROZEN'`,
  TERMINATED: (query) => query`and c.status = 'TERMINATED'`,
  FAILED: (query) => query`and c.status = 'FAILED'`,
};

interface ListedRow {
  merchant_id: string;
  id: string;
  cardholder_id: bigint;
  brand: CardRow["brand"];
  nickname: string | null;
  status: CardStatus;
  provider: string;
  provider_reference: string | null;
  last4: string | null;
  expiry_month: number | null;
  expiry_year: number | null;
  created_at: string;
  terminated_at: string | null;
  blocked_at: string | null;
  blocked_reason: string | null;
  balance: bigint | null;
}

/** Newest first. */
export async function listCards({ merchant }: MerchantContext, request: ListCardsQuery): Promise<Page<Card>> {
  const owner = `${merchant.id}/cards`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const query = sql();
  const { status, cardholder_id: cardholderId } = request;
  const rows = await query<ListedRow[]>`
    select c.*, ledger_available(a) as balance from cards c
    left join ledger_accounts a on a.merchant_id = c.merchant_id and a.account = ${cardAccount("")} || c.id
    where c.merchant_id = ${merchant.id}
      ${before ? query`and c.id < ${before}` : query``}
      ${status ? WITH_STATUS[status](query) : query``}
      ${cardholderId ? query`and c.cardholder_id = ${cardholderId}::bigint and c.cardholder_id > 0` : query``}
    order by c.id desc limit ${request.limit + 1}`;
  return toPage(owner, rows.map(toCard), request.limit, ({ id }) => id);
}

function toCard(row: ListedRow): Card {
  return {
    merchantId: row.merchant_id,
    id: row.id,
    cardholderId: Number(row.cardholder_id),
    brand: row.brand,
    nickname: row.nickname,
    status: row.status,
    provider: row.provider,
    providerReference: row.provider_reference,
    last4: row.last4,
    expiryMonth: row.expiry_month,
    expiryYear: row.expiry_year,
    nextSyncAt: null,
    createdAt: new Date(row.created_at),
    terminatedAt: row.terminated_at === null ? null : new Date(row.terminated_at),
    blockedAt: row.blocked_at === null ? null : new Date(row.blocked_at),
    blockedReason: row.blocked_reason,
    balance: money(row.balance ?? 0n, "USD"),
  };
}
