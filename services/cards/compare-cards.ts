import { and, eq, gt, inArray, isNotNull, or } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { toPlainDigits } from "#lib/money.ts";
import type { OperatorContext, SystemContext } from "../context.ts";
import { issuers } from "../providers/index.ts";
import type { CardRow } from "./card.ts";
import { balanceOf, processingOf, readCardAgain } from "./rows.ts";
import { syncCard } from "./sync-cards.ts";

export interface Difference {
  merchantId: string;
  cardId: string;
  what: string;
  ours: string;
  issuers: string;
}

export interface Comparison {
  compared: number;
  /** Cards with an operation of which nobody knows yet what became. */
  processing: number;
  /** Cards that the issuer said nothing of. */
  unread: number;
  differences: Difference[];
}

const AT_ONCE = 200;

/** Holds each issued card's ledger account and status against what its issuer says, after reading its news: of one merchant, or of all. */
export async function compareCards(_ctx: OperatorContext | SystemContext, merchantId?: string): Promise<Comparison> {
  const comparison: Comparison = { compared: 0, processing: 0, unread: 0, differences: [] };
  let last: CardRow | undefined;
  do {
    const batch = await cardsAfter(last, merchantId);
    for (const card of batch) await compare(card, comparison);
    last = batch.at(-1);
  } while (last);
  return comparison;
}

function cardsAfter(last: CardRow | undefined, merchantId: string | undefined): Promise<CardRow[]> {
  const beyond = last && or(gt(cards.merchantId, last.merchantId), and(eq(cards.merchantId, last.merchantId), gt(cards.id, last.id)));
  return db()
    .select()
    .from(cards)
    .where(
      and(
        isNotNull(cards.providerReference),
        inArray(cards.status, ["ACTIVE", "FROZEN", "TERMINATED"]),
        beyond,
        merchantId === undefined ? undefined : eq(cards.merchantId, merchantId),
      ),
    )
    .orderBy(cards.merchantId, cards.id)
    .limit(AT_ONCE);
}

async function compare(card: CardRow, comparison: Comparison): Promise<void> {
  // What seems to differ is looked at again: something may have happened between the two readings.
  const verdict = (await look(card, false)) ?? (await look(card, true));
  if (verdict === "processing" || verdict === "unread") comparison[verdict]++;
  else {
    comparison.compared++;
    comparison.differences.push(...(verdict ?? []));
  }
}

/** Undefined where the card differs and is to be looked at again. */
async function look(card: CardRow, isLast: boolean): Promise<Difference[] | "processing" | "unread" | undefined> {
  const theirs = await readCard(card);
  if (!theirs) return "unread";
  if ((await processingOf(db(), card)).length > 0) return "processing";
  const { merchantId, id: cardId, status } = await readCardAgain(card);
  const balance = toPlainDigits(await balanceOf(db(), card));
  const sides = [
    { what: "status", ours: String(status), issuers: String(theirs.state) },
    { what: "balance, USD", ours: balance, issuers: toPlainDigits(theirs.balance) },
  ];
  const different = sides.filter(({ ours, issuers }) => ours !== issuers).map((side) => ({ merchantId, cardId, ...side }));
  return different.length === 0 || isLast ? different : undefined;
}

async function readCard(card: CardRow) {
  const reading = await syncCard(card).then(
    () => (card.providerReference ? issuers.named(card.provider)?.readCard(card.providerReference) : undefined),
    () => undefined,
  );
  return reading?.status === "found" ? reading.found : undefined;
}
