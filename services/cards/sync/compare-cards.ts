import { and, eq, gt, inArray, isNotNull, or } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cards } from "#db/schema/cards.ts";
import { toPlainDigits } from "#lib/money.ts";
import { weekOf } from "#lib/time.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { OperatorContext, SystemContext } from "../../context.ts";
import { issuers, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import { balanceOf, processingOf, readCardAgain } from "../rows.ts";
import { syncCard } from "./sync-cards.ts";

export interface Difference {
  merchantId: string;
  cardId: string;
  provider: string;
  what: string;
  ours: string;
  issuers: string;
}

export interface Comparison {
  compared: number;
  /** Cards with an operation whose outcome is not known yet. */
  processing: number;
  /** Cards that could not be read from the issuer. */
  unread: number;
  differences: Difference[];
}

const BATCH_SIZE = 200;

/** Compares status and balance of each issued card with its issuer, after a sync of the card. Covers one merchant, or all of them. */
export const compareCards = verb(
  { actor: ["operator", "system"] },
  async (_ctx: OperatorContext | SystemContext, merchantId?: string): Promise<Comparison> => {
    const comparison: Comparison = { compared: 0, processing: 0, unread: 0, differences: [] };
    let last: CardRow | undefined;
    do {
      const batch = await cardsAfter(last, merchantId);
      for (const card of batch) await compare(card, comparison);
      last = batch.at(-1);
    } while (last);
    return comparison;
  },
);

/** Alerts operators to cards that differ from their issuers: once a week for each difference, however many nights find it. */
export const alertOnDifferences = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, differences: readonly Difference[]): Promise<void> => {
    for (const { merchantId, cardId, provider, what, ours, issuers: theirs } of differences) {
      await alertOperators(modeOf(provider), {
        ...{ type: "card.differs", resourceId: cardId, cause: `${cardId}:${what}:${ours}:${theirs}:${weekOf(new Date())}` },
        message: `Card ${cardId} of ${merchantId}: its ${what} is ${ours} here and ${theirs} at ${provider}.`,
      });
    }
  },
);

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
    .limit(BATCH_SIZE);
}

async function compare(card: CardRow, comparison: Comparison): Promise<void> {
  // A card that differs is compared again: it may have changed between our reading and the issuer's.
  const verdict = (await compareOnce(card, false)) ?? (await compareOnce(card, true));
  if (verdict === "processing" || verdict === "unread") comparison[verdict]++;
  else {
    comparison.compared++;
    comparison.differences.push(...(verdict ?? []));
  }
}

/** Returns the differences or the reason for no comparison. Undefined if the card differs and will be compared again. */
async function compareOnce(card: CardRow, isLast: boolean): Promise<Difference[] | "processing" | "unread" | undefined> {
  const theirs = await readCard(card);
  if (!theirs) return "unread";
  if ((await processingOf(db(), card)).length > 0) return "processing";
  const { merchantId, id: cardId, provider, status } = await readCardAgain(card);
  const balance = toPlainDigits(await balanceOf(db(), card));
  const sides = [
    { what: "status", ours: String(status), issuers: String(theirs.state) },
    { what: "balance, USD", ours: balance, issuers: toPlainDigits(theirs.balance) },
  ];
  const different = sides.filter(({ ours, issuers }) => ours !== issuers).map((side) => ({ merchantId, cardId, provider, ...side }));
  return different.length === 0 || isLast ? different : undefined;
}

async function readCard(card: CardRow) {
  const reading = await syncCard(card).then(
    () => (card.providerReference ? issuers.named(card.provider)?.readCard(card.providerReference) : undefined),
    () => undefined,
  );
  return reading?.status === "found" ? reading.found : undefined;
}
