import { sql } from "#db/client.ts";
import { type Numbers, numbersOf } from "./card-numbers.ts";
import type { SandboxIssuerName } from "./issuer-name.ts";
import type { Transaction } from "./news.ts";
import { Unknown } from "./refusals.ts";

export interface Card {
  id: string;
  serial: bigint;
  brand: string;
  state: "queued" | "active" | "frozen" | "closed";
  /** US cents, not reduced by open authorizations. */
  balance: bigint;
  /** US cents that can be spent. */
  available: bigint;
  expiry_month: number;
  expiry_year: number;
}

const COLUMNS = `c.id, c.serial, c.brand, c.state, c.balance, c.expiry_month, c.expiry_year, c.balance - coalesce((
  select sum(t.open) from sandbox.card_transactions t where t.house = c.house and t.card_id = c.id), 0)::bigint as available`;

/** Returns a card. Throws `Unknown`. */
export async function getCard(issuer: SandboxIssuerName, id: string): Promise<Card> {
  const query = sql();
  const [card] = await query<Card[]>`select ${query.unsafe(COLUMNS)} from sandbox.cards c where c.house = ${issuer} and c.id = ${id}`;
  if (!card) throw new Unknown("card");
  return card;
}

/** Locks a card until the transaction ends, and returns it. Throws `Unknown`. */
export async function lockCard(tx: Transaction, issuer: SandboxIssuerName, id: string): Promise<Card> {
  await tx`select 1 from sandbox.cards where house = ${issuer} and id = ${id} for update`;
  const [card] = await tx<Card[]>`select ${tx.unsafe(COLUMNS)} from sandbox.cards c where c.house = ${issuer} and c.id = ${id}`;
  if (!card) throw new Unknown("card");
  return card;
}

export const secretsOf = ({ brand, serial }: Card): Numbers => numbersOf(brand, serial);
export const last4Of = (card: Card): string => secretsOf(card).number.slice(-4);
