import { sql } from "#db/client.ts";
import { sendNotice } from "../notices.ts";
import { type Card, lockCard } from "./cards.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { queueNotices, type Transaction } from "./news.ts";
import { Refused } from "./refusals.ts";

export type SpendKind = "AUTHORIZATION" | "CLEARING" | "REVERSAL" | "REFUND" | "DECLINE" | "FEE";

export interface SpendRow {
  id: string;
  serial: bigint;
  kind: SpendKind;
  amount: bigint;
  open: bigint;
  related_id: string | null;
  merchant_name: string;
  category_code: string;
  city: string;
  country: string;
  decline_reason: string | null;
  created_at: string;
}

export interface Spend {
  /** Chosen by the caller. A repeated id is the same transaction. */
  id: string;
  cardId: string;
  kind: SpendKind;
  amount: bigint;
  relatedId: string | null;
  merchantName: string;
  /** How often its notice is sent. */
  copies: number;
}

/** An authorization without a clearing is released after this. */
const AUTHORIZATIONS_LAST_DAYS = 7;

/** The simulated shop. Category 5411 is grocery stores (ISO 18245). */
const SHOP = { categoryCode: "5411", city: "Lagos", country: "NG" };

/** Records the spend of a simulated shop, and notifies the customer. An authorization above the balance becomes a decline. Throws `Unknown`, `Refused`. */
export async function spend(issuer: SandboxIssuerName, request: Spend): Promise<SpendRow> {
  const { row, notices } = await sql().begin(async (tx) => {
    const card = await lockCard(tx, issuer, request.cardId);
    const known = await findSpend(tx, issuer, request.id);
    const row = known ?? (await record(tx, issuer, card, request));
    return { row, notices: await queueNotices(tx, issuer, { kind: "card", id: request.cardId }, request.copies) };
  });
  for (const notice of notices) await sendNotice(notice);
  return row;
}

async function findSpend(tx: Transaction, issuer: SandboxIssuerName, id: string): Promise<SpendRow | undefined> {
  const [row] = await tx<SpendRow[]>`select * from sandbox.card_transactions where house = ${issuer} and id = ${id}`;
  return row;
}

async function record(tx: Transaction, issuer: SandboxIssuerName, card: Card, request: Spend): Promise<SpendRow> {
  const related = request.relatedId === null ? undefined : await findSpend(tx, issuer, request.relatedId);
  if (request.relatedId !== null && !related) throw new Refused("related_not_found");
  if (related && related.kind !== "AUTHORIZATION" && related.kind !== "CLEARING") throw new Refused("related_not_found");
  if (related && request.kind === "REFUND" && request.amount > related.amount) throw new Refused("more_than_was_taken");
  const declineReason = declineOf(request, card);
  const kind = declineReason ? "DECLINE" : request.kind;
  const resolved = kind === "CLEARING" ? await authorizationOf(tx, issuer, related) : related;
  await move(tx, issuer, card, { kind, amount: request.amount, related: resolved });
  const open = kind === "AUTHORIZATION" ? request.amount : 0n;
  const [row] = await tx<SpendRow[]>`
    insert into sandbox.card_transactions (house, id, card_id, kind, amount, open, related_id, merchant_name, category_code, city, country, decline_reason)
    values (${issuer}, ${request.id}, ${card.id}, ${kind}, ${String(request.amount)}::text::bigint, ${String(open)}::text::bigint, ${request.relatedId}, ${request.merchantName},
      ${SHOP.categoryCode}, ${SHOP.city}, ${SHOP.country}, ${declineReason})
    returning *`;
  if (!row) throw new Error("the transaction that was just recorded is gone");
  return row;
}

/** Returns the authorization of a clearing. A clearing that follows another one belongs to the authorization of that one. */
async function authorizationOf(tx: Transaction, issuer: SandboxIssuerName, related: SpendRow | undefined): Promise<SpendRow | undefined> {
  let found = related;
  while (found?.kind === "CLEARING" && found.related_id !== null) found = await findSpend(tx, issuer, found.related_id);
  return found;
}

function declineOf({ kind, amount }: Spend, card: Card): string | null {
  if (kind === "DECLINE") return "do_not_honor";
  if (kind !== "AUTHORIZATION") return null;
  if (card.state === "frozen") return "card_frozen";
  if (card.state !== "active") return "card_closed";
  return card.available < amount ? "insufficient_funds" : null;
}

interface Movement {
  kind: SpendKind;
  amount: bigint;
  related: SpendRow | undefined;
}

/** Moves the money of a transaction. On a closed card the money moves at the customer's own account: the card keeps only open authorizations. */
async function move(tx: Transaction, issuer: SandboxIssuerName, card: Card, { kind, amount, related }: Movement): Promise<void> {
  const closed = card.state === "closed";
  const open = related?.kind === "AUTHORIZATION" ? related.open : 0n;
  const resolved = open < amount ? open : amount;
  let change = 0n;
  if (kind === "CLEARING") change = closed ? -resolved : -amount;
  if (kind === "REVERSAL") {
    const reversible = related?.kind === "CLEARING" ? related.amount - (await reversedOf(tx, issuer, related)) : open;
    if (reversible < amount) throw new Refused("nothing_to_reverse");
    // A reversed clearing comes back to the card. A reversed authorization is only released.
    if (closed) change = -resolved;
    else if (related?.kind === "CLEARING") change = amount;
  }
  if (kind === "REFUND" && !closed) change = amount;
  if (kind === "FEE" && !closed) change = -amount;
  if ((kind === "CLEARING" || kind === "REVERSAL") && related && resolved > 0n) {
    await tx`update sandbox.card_transactions set open = open - ${String(resolved)}::text::bigint where house = ${issuer} and id = ${related.id}`;
  }
  if (change !== 0n) {
    await tx`update sandbox.cards set balance = balance + ${String(change)}::text::bigint where house = ${issuer} and id = ${card.id}`;
  }
}

/** Returns the cents of a clearing that reversals have given back. */
async function reversedOf(tx: Transaction, issuer: SandboxIssuerName, { id }: SpendRow): Promise<bigint> {
  const [row] = await tx<{ cents: bigint }[]>`
    select coalesce(sum(amount), 0)::bigint as cents from sandbox.card_transactions where house = ${issuer} and related_id = ${id} and kind = 'REVERSAL'`;
  return row?.cents ?? 0n;
}

/** Releases authorizations that no shop cleared in time, or all open ones of a card. Sends no notice, because card networks send none. */
export async function expireAuthorizations(card: { issuer: SandboxIssuerName; id: string } | "all that are due"): Promise<void> {
  const query = sql();
  const isDue =
    card === "all that are due"
      ? query`t.created_at < now() - ${AUTHORIZATIONS_LAST_DAYS} * interval '1 day'`
      : query`t.house = ${card.issuer} and t.card_id = ${card.id}`;
  await query`
    with expired as (
      select t.house, t.id, t.card_id, t.open from sandbox.card_transactions t where t.open > 0 and ${isDue} for update
    ), closed as (
      update sandbox.card_transactions t set open = 0 from expired e where t.house = e.house and t.id = e.id
    )
    update sandbox.cards c set balance = balance - e.open
    from (select house, card_id, sum(open)::bigint as open from expired group by house, card_id) e
    where c.house = e.house and c.id = e.card_id and c.state = 'closed'`;
}

/** Returns a card's spend before the serial `before`, the last recorded first. */
export async function listSpend(
  issuer: SandboxIssuerName,
  cardId: string,
  { before, limit }: { before?: bigint; limit: number },
): Promise<SpendRow[]> {
  const query = sql();
  return query<SpendRow[]>`
    select * from sandbox.card_transactions where house = ${issuer} and card_id = ${cardId}
      ${before === undefined ? query`` : query`and serial < ${String(before)}::text::bigint`}
    order by serial desc limit ${limit}`;
}

/** Returns a page of a card's spend, the latest time of spend first. */
export const listSpendByTime = (issuer: SandboxIssuerName, cardId: string, { limit, skip }: { limit: number; skip: number }) =>
  sql()<SpendRow[]>`
    select * from sandbox.card_transactions where house = ${issuer} and card_id = ${cardId}
    order by created_at desc, serial desc limit ${limit} offset ${skip}`;

export async function countSpend(issuer: SandboxIssuerName, cardId: string): Promise<number> {
  const [row] = await sql()<
    { count: bigint }[]
  >`select count(*) from sandbox.card_transactions where house = ${issuer} and card_id = ${cardId}`;
  return Number(row?.count ?? 0n);
}
