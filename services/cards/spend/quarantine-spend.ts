import { hash } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { quarantinedSpend } from "#db/schema/spend.ts";
import { log } from "#lib/log.ts";
import type { SpendTransaction } from "#providers/issuer.ts";
import type { UnreadableRow } from "#providers/read-rows.ts";
import { alertOperators } from "../../alerts/index.ts";
import { modeOf } from "../../providers/index.ts";
import type { CardRow } from "../card.ts";

/** US cents: ten million dollars. */
const MAX_MINOR = 1_000_000_000n;
const MAX_REFERENCE_LENGTH = 500;
const MIN_TIME_MS = Date.UTC(2000, 0);
const MAX_TIME_MS = Date.UTC(2100, 0);

/** Returns the name of a row in quarantine. A reference of any length has one, and no two references share it. */
export const quarantineKeyOf = (reference: string): string =>
  reference.length <= MAX_REFERENCE_LENGTH ? reference : `sha256:${hash("sha256", reference)}`;

/** Returns why a row of an issuer's list can never be recorded, or undefined if it can. */
export function whyUnacceptable({ amount, transactionReference, relatedReference, occurredAt }: SpendTransaction): string | undefined {
  if (amount.minor < 0n) return "Its amount is below zero.";
  if (amount.minor > MAX_MINOR) return "Its amount is beyond what any card spends.";
  if (amount.currency !== "USD") return "It is not in US dollars.";
  const names = [transactionReference, relatedReference ?? "-"];
  if (names.some((name) => name === "" || name.length > MAX_REFERENCE_LENGTH)) return "A name in it is empty or too long.";
  if (!(occurredAt.getTime() > MIN_TIME_MS && occurredAt.getTime() < MAX_TIME_MS)) return "Its time is no time of this century.";
  return undefined;
}

/** Quarantines a row that can never be recorded, and alerts operators. */
export function quarantine(card: CardRow, spend: SpendTransaction, reason: string): Promise<void> {
  const { transactionReference: reference, amount, occurredAt } = spend;
  const payload = { ...spend, amount: { minor: String(amount.minor), currency: amount.currency }, occurredAt: occurredAt.getTime() };
  return storeQuarantined(card, { reference, payload, reason });
}

/** Quarantines a row that the adapter cannot read, and alerts operators. */
export const quarantineUnreadable = (card: CardRow, { reference, fields }: UnreadableRow): Promise<void> =>
  storeQuarantined(card, { reference, payload: { fields }, reason: `Its fields ${fields.join(", ")} are not as we know them.` });

interface QuarantinedRow {
  reference: string;
  payload: Record<string, unknown>;
  reason: string;
}

/** Stores a row that moves no money. Alerts operators the first time, and once more when its reason changes. */
async function storeQuarantined({ merchantId, id, provider }: CardRow, { reference, payload, reason }: QuarantinedRow): Promise<void> {
  const [kept] = await db()
    .insert(quarantinedSpend)
    .values({ merchantId, cardId: id, providerTransactionId: quarantineKeyOf(reference), reason, payload })
    // A row that a newer adapter reads, and that can never be recorded, is unreadable no more.
    .onConflictDoUpdate({
      target: [quarantinedSpend.merchantId, quarantinedSpend.cardId, quarantinedSpend.providerTransactionId],
      set: { reason, payload },
      setWhere: sql`${quarantinedSpend.payload} ? 'fields' and not (excluded.payload ? 'fields')`,
    })
    .returning({ cardId: quarantinedSpend.cardId });
  if (!kept) return;
  log().error({ cardId: id, merchantId, reason }, "a row of an issuer's list is quarantined");
  await alertOperators(modeOf(provider), {
    type: "card_spend.quarantined",
    resourceId: id,
    message: `Card ${id} of ${merchantId}: ${provider} lists transaction ${reference} that cannot be recorded. ${reason} It is in quarantined_spend; ask the issuer.`,
  });
}

const isOfCard = ({ merchantId, id }: Pick<CardRow, "merchantId" | "id">) =>
  and(eq(quarantinedSpend.merchantId, merchantId), eq(quarantinedSpend.cardId, id));

export async function hasQuarantinedSpend(tx: Tx, card: CardRow): Promise<boolean> {
  const rows = await tx.select({ id: quarantinedSpend.cardId }).from(quarantinedSpend).where(isOfCard(card)).limit(1);
  return rows.length > 0;
}

/**
 * Returns the names (`quarantineKeyOf`) of a card's quarantined rows: the rows that can never be recorded, and the rows that the adapter could
 * not read.
 */
export async function quarantinedOf(card: CardRow): Promise<{ unacceptable: Set<string>; unreadable: Set<string> }> {
  const rows = await db()
    .select({ reference: quarantinedSpend.providerTransactionId, isUnreadable: sql<boolean>`${quarantinedSpend.payload} ? 'fields'` })
    .from(quarantinedSpend)
    .where(isOfCard(card));
  const named = (isUnreadable: boolean) =>
    new Set(rows.filter((row) => row.isUnreadable === isUnreadable).map(({ reference }) => reference));
  return { unacceptable: named(false), unreadable: named(true) };
}

/** Deletes quarantined rows that are recorded by now, because a newer adapter can read them. */
export async function forgetRecorded(card: CardRow): Promise<void> {
  await db()
    .delete(quarantinedSpend)
    .where(
      and(
        isOfCard(card),
        sql`exists (select from card_transactions t where t.merchant_id = ${card.merchantId} and t.card_id = ${card.id}
          and t.provider_transaction_id = ${quarantinedSpend.providerTransactionId})`,
      ),
    );
}
