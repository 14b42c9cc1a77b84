import { sql } from "#db/client.ts";
import { randomBase62 } from "#lib/secrets.ts";
import { getCardholder } from "./cardholders.ts";
import { lockCard } from "./cards.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import { type Transaction, tellNews } from "./news.ts";
import { Refused } from "./refusals.ts";

export type OperationKind = "issue" | "fund" | "unload" | "freeze" | "unfreeze" | "close";

export interface Operation {
  id: string;
  reference: string;
  card_id: string;
  kind: OperationKind;
  /** US cents; of a closing that is done, what was left on the card. */
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
/** How long `sandbox-async` takes for anything. */
const QUEUED_FOR_MS = 400;
const COLUMNS = "id, reference, card_id, kind, amount, state, refusal";

/** Makes a card for somebody whose identity was approved. Throws `Unknown`, `Refused`. */
export async function issueCard(
  house: SandboxIssuerName,
  order: { reference: string; cardholderId: string; brand: string },
): Promise<Operation> {
  const { state } = await getCardholder(house, order.cardholderId);
  if (state !== "approved") throw new Refused("identity_not_approved");
  return sql().begin(async (tx) => {
    const known = await findTaken(tx, house, order.reference);
    if (known) return known;
    const cardId = `crd_${randomBase62(16)}`;
    const now = new Date();
    await tx`
      insert into sandbox.cards (house, id, reference, cardholder_id, brand, state, expiry_month, expiry_year)
      values (${house}, ${cardId}, ${order.reference}, ${order.cardholderId}, ${order.brand}, 'queued', ${now.getUTCMonth() + 1}, ${now.getUTCFullYear() + VALID_FOR_YEARS})`;
    return take(tx, house, { reference: order.reference, kind: "issue", cardId, amount: 0n });
  });
}

/** Takes an order about a card, and carries it out: at once, or (`sandbox-async`) later. Throws `Unknown`. */
export async function operate(house: SandboxIssuerName, order: Order): Promise<Operation> {
  return sql().begin(async (tx) => {
    await lockCard(tx, house, order.cardId);
    return (await findTaken(tx, house, order.reference)) ?? take(tx, house, order);
  });
}

/** `sandbox` takes a reference once. `sandbox-async` never looks. */
async function findTaken(tx: Transaction, house: SandboxIssuerName, reference: string): Promise<Operation | undefined> {
  if (house !== "sandbox") return undefined;
  await tx`select pg_advisory_xact_lock(hashtextextended(${reference}, 0))`;
  const [known] = await tx<
    Operation[]
  >`select ${tx.unsafe(COLUMNS)} from sandbox.card_operations where house = ${house} and reference = ${reference}`;
  return known;
}

async function take(tx: Transaction, house: SandboxIssuerName, { reference, kind, cardId, amount }: Order): Promise<Operation> {
  const waitsMs = house === "sandbox" ? 0 : QUEUED_FOR_MS;
  const [taken] = await tx<Operation[]>`
    insert into sandbox.card_operations (house, id, reference, card_id, kind, amount, state, due_at)
    values (${house}, ${`op_${randomBase62(16)}`}, ${reference}, ${cardId}, ${kind}, ${String(amount)}::text::bigint, 'queued', now() + ${waitsMs} * interval '1 ms')
    returning ${tx.unsafe(COLUMNS)}`;
  if (!taken) throw new Error("the operation that was just taken is gone");
  return waitsMs === 0 ? carryOut(tx, house, taken) : taken;
}

async function carryOut(tx: Transaction, house: SandboxIssuerName, operation: Operation): Promise<Operation> {
  const { id, card_id: cardId } = operation;
  const effect = effectOf(operation, await lockCard(tx, house, cardId));
  if (typeof effect !== "string") {
    await tx`
      update sandbox.cards set state = ${effect.state}, balance = balance + ${String(effect.change)}::text::bigint where house = ${house} and id = ${cardId}`;
  }
  const refusal = typeof effect === "string" ? effect : null;
  const amount = operation.kind === "close" && typeof effect !== "string" ? -effect.change : operation.amount;
  const [done] = await tx<Operation[]>`
    update sandbox.card_operations set state = ${refusal ? "refused" : "done"}, refusal = ${refusal}, amount = ${String(amount)}::text::bigint
    where house = ${house} and id = ${id} returning ${tx.unsafe(COLUMNS)}`;
  if (!done) throw new Error("the operation is gone");
  return done;
}

interface Effect {
  state: "active" | "frozen" | "closed";
  change: bigint;
}

/** What an operation does to a card as it is, or why it does nothing. */
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

export async function findOperations(house: SandboxIssuerName, reference: string): Promise<Operation[]> {
  const query = sql();
  return query<Operation[]>`
    select ${query.unsafe(COLUMNS)} from sandbox.card_operations where house = ${house} and reference = ${reference} order by created_at, id`;
}

/** Carries out what has waited long enough. */
export async function carryOutQueued(): Promise<void> {
  const due = await sql()<{ id: string }[]>`select id from sandbox.card_operations where state = 'queued' and due_at <= now() limit 100`;
  for (const { id } of due) {
    await sql().begin(async (tx) => {
      const [operation] = await tx<(Operation & { house: SandboxIssuerName })[]>`
        select house, ${tx.unsafe(COLUMNS)} from sandbox.card_operations where id = ${id} and state = 'queued' for update skip locked`;
      if (!operation) return;
      await carryOut(tx, operation.house, operation);
      // Only `sandbox-async` queues, and it names the request: whose card is not known yet could not be found by the card.
      await tellNews(tx, operation.house, { kind: "request", id });
    });
  }
}

/** The house closes a card of its own accord, keeps what is on it, and says that something is new. */
export async function shutCard(house: SandboxIssuerName, cardId: string): Promise<void> {
  await sql().begin(async (tx) => {
    const card = await lockCard(tx, house, cardId);
    await tx`
      update sandbox.cards set state = 'closed', balance = balance - ${String(card.available)}::text::bigint where house = ${house} and id = ${cardId}`;
    await tellNews(tx, house, { kind: "card", id: cardId });
  });
}
