import { sql } from "#db/client.ts";
import { randomBase62 } from "#lib/secrets.ts";
import { getCardholder } from "./cardholders.ts";
import { lockCard } from "./cards.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { queueNotices, type Transaction } from "./news.ts";
import { Refused } from "./refusals.ts";

export type OperationKind = "issue" | "fund" | "unload" | "freeze" | "unfreeze" | "close";

export interface Operation {
  id: string;
  reference: string;
  card_id: string;
  kind: OperationKind;
  /** US cents; for a closing that is done, the balance that was left. */
  amount: bigint;
  state: "queued" | "done" | "refused";
  refusal: string | null;
}

interface Order {
  reference: string;
  kind: OperationKind;
  cardId: string;
  amount: bigint;
}

const VALID_FOR_YEARS = 3;
/** How long `sandbox-async` queues every operation. */
const QUEUED_FOR_MS = 400;
const COLUMNS = "id, reference, card_id, kind, amount, state, refusal";

/** Issues a card to an approved cardholder. Throws `Unknown`, `Refused`. */
export async function issueCard(
  issuer: SandboxIssuerName,
  order: { reference: string; cardholderId: string; brand: string },
): Promise<Operation> {
  const { state } = await getCardholder(issuer, order.cardholderId);
  if (state !== "approved") throw new Refused("identity_not_approved");
  return sql().begin(async (tx) => {
    const known = await findTaken(tx, issuer, order.reference);
    if (known) return known;
    const cardId = `crd_${randomBase62(16)}`;
    const now = new Date();
    await tx`
      insert into sandbox.cards (house, id, reference, cardholder_id, brand, state, expiry_month, expiry_year)
      values (${issuer}, ${cardId}, ${order.reference}, ${order.cardholderId}, ${order.brand}, 'queued', ${now.getUTCMonth() + 1}, ${now.getUTCFullYear() + VALID_FOR_YEARS})`;
    return take(tx, issuer, { reference: order.reference, kind: "issue", cardId, amount: 0n });
  });
}

/** Takes an operation of a card and executes it: `sandbox` at once, `sandbox-async` later. Throws `Unknown`. */
export async function operate(issuer: SandboxIssuerName, order: Order): Promise<Operation> {
  return sql().begin(async (tx) => {
    await lockCard(tx, issuer, order.cardId);
    return (await findTaken(tx, issuer, order.reference)) ?? take(tx, issuer, order);
  });
}

/** Returns the earlier operation with a reference at `sandbox`. `sandbox-async` does not check for one. */
async function findTaken(tx: Transaction, issuer: SandboxIssuerName, reference: string): Promise<Operation | undefined> {
  if (issuer !== "sandbox") return undefined;
  await tx`select pg_advisory_xact_lock(hashtextextended(${reference}, 0))`;
  const [known] = await tx<
    Operation[]
  >`select ${tx.unsafe(COLUMNS)} from sandbox.card_operations where house = ${issuer} and reference = ${reference}`;
  return known;
}

async function take(tx: Transaction, issuer: SandboxIssuerName, { reference, kind, cardId, amount }: Order): Promise<Operation> {
  const waitsMs = issuer === "sandbox" ? 0 : QUEUED_FOR_MS;
  const [taken] = await tx<Operation[]>`
    insert into sandbox.card_operations (house, id, reference, card_id, kind, amount, state, due_at)
    values (${issuer}, ${`op_${randomBase62(16)}`}, ${reference}, ${cardId}, ${kind}, ${String(amount)}::text::bigint, 'queued', now() + ${waitsMs} * interval '1 ms')
    returning ${tx.unsafe(COLUMNS)}`;
  if (!taken) throw new Error("the operation that was just taken is gone");
  return waitsMs === 0 ? callIssuer(tx, issuer, taken) : taken;
}

async function callIssuer(tx: Transaction, issuer: SandboxIssuerName, operation: Operation): Promise<Operation> {
  const { id, card_id: cardId } = operation;
  const effect = effectOf(operation, await lockCard(tx, issuer, cardId));
  if (typeof effect !== "string") {
    await tx`
      update sandbox.cards set state = ${effect.state}, balance = balance + ${String(effect.change)}::text::bigint where house = ${issuer} and id = ${cardId}`;
  }
  const refusal = typeof effect === "string" ? effect : null;
  const amount = operation.kind === "close" && typeof effect !== "string" ? -effect.change : operation.amount;
  const [done] = await tx<Operation[]>`
    update sandbox.card_operations set state = ${refusal ? "refused" : "done"}, refusal = ${refusal}, amount = ${String(amount)}::text::bigint
    where house = ${issuer} and id = ${id} returning ${tx.unsafe(COLUMNS)}`;
  if (!done) throw new Error("the operation is gone");
  return done;
}

interface Effect {
  state: "active" | "frozen" | "closed";
  change: bigint;
}

/** Returns the effect of an operation on a card, or the reason why it has none. */
function effectOf({ kind, amount }: Operation, card: { state: string; available: bigint }): Effect | string {
  if (card.state === "closed") return "card_closed";
  switch (kind) {
    case "issue":
      return { state: "active", change: 0n };
    case "fund":
      return card.state === "active" ? { state: "active", change: amount } : "card_not_active";
    case "unload":
      if (card.state !== "active") return "card_not_active";
      return card.available >= amount ? { state: "active", change: -amount } : "insufficient_balance";
    case "freeze":
      return { state: "frozen", change: 0n };
    case "unfreeze":
      return { state: "active", change: 0n };
    case "close":
      return { state: "closed", change: -card.available };
  }
}

export async function findOperations(issuer: SandboxIssuerName, reference: string): Promise<Operation[]> {
  const query = sql();
  return query<Operation[]>`
    select ${query.unsafe(COLUMNS)} from sandbox.card_operations where house = ${issuer} and reference = ${reference} order by created_at, id`;
}

/** Executes the queued operations that are due. */
export async function carryOutQueued(): Promise<void> {
  const due = await sql()<{ id: string }[]>`select id from sandbox.card_operations where state = 'queued' and due_at <= now() limit 100`;
  for (const { id } of due) {
    await sql().begin(async (tx) => {
      const [operation] = await tx<(Operation & { house: SandboxIssuerName })[]>`
        select house, ${tx.unsafe(COLUMNS)} from sandbox.card_operations where id = ${id} and state = 'queued' for update skip locked`;
      if (!operation) return;
      await callIssuer(tx, operation.house, operation);
      // Only `sandbox-async` queues operations. Its notice names the request, because the customer does not know the card yet while it is issued.
      await queueNotices(tx, operation.house, { kind: "request", id });
    });
  }
}

/** Closes a card without a request of the customer, keeps its balance, and queues a notice. */
export async function shutCard(issuer: SandboxIssuerName, cardId: string): Promise<void> {
  await sql().begin(async (tx) => {
    const card = await lockCard(tx, issuer, cardId);
    await tx`
      update sandbox.cards set state = 'closed', balance = balance - ${String(card.available)}::text::bigint where house = ${issuer} and id = ${cardId}`;
    await queueNotices(tx, issuer, { kind: "card", id: cardId });
  });
}
