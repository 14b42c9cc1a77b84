import { and, eq } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { cardOperations, cardTransactions } from "#db/schema/cards.ts";
import { log } from "#lib/log.ts";
import { money } from "#lib/money.ts";
import { lastRate } from "../exchange/index.ts";
import { mustPost, type Transfer } from "../ledger/index.ts";
import { modeOf } from "../providers/index.ts";
import type { CardRow, TransactionRow } from "./card.ts";
import { cardToWallet, walletToCard } from "./journal.ts";
import { lockCard, withBalance } from "./rows.ts";
import { keyOf } from "./spend-effect.ts";

/**
 * A terminated card holds nothing but what was authorized before its end. What is left on it beyond that came after its end, and goes to
 * the wallet; what it lacks, shops took after its end, and the wallet pays. Which of its spend came after, nobody needs to know: what
 * the issuer confirmed at the end has all that came before in it. So it is called when everything that the issuer lists is recorded,
 * from a list that was read after the end was settled. It never moves more than the spend that came late explains.
 */
export async function passOnWhatIsLeft({ merchantId, id }: CardRow): Promise<void> {
  await transaction(async (tx) => {
    const card = await lockCard(tx, merchantId, id);
    if (card.status !== "TERMINATED" || (await isAnythingProcessing(tx, card))) return;
    const late = await lateSpend(tx, card);
    const [first] = late;
    if (!first) return;
    const { balance } = await withBalance(tx, card);
    const explained = late.reduce((sum, { amount }) => sum + amount, 0n);
    if (balance.minor > explained || -balance.minor > explained) {
      log().fatal({ cardId: id, merchantId, cents: balance.minor, explained }, "a terminated card holds what its spend does not explain");
      return;
    }
    if (balance.minor !== 0n) await mustPost(tx, merchantId, await transfersFor(tx, card, { late: first, cents: balance.minor }));
    await tx.update(cardTransactions).set({ awaitsPassingOn: false }).where(isLate(card));
  });
}

const isLate = ({ merchantId, id }: CardRow) =>
  and(eq(cardTransactions.merchantId, merchantId), eq(cardTransactions.cardId, id), eq(cardTransactions.awaitsPassingOn, true));

/** Newest first. */
async function lateSpend(tx: Tx, card: CardRow): Promise<TransactionRow[]> {
  const rows = await tx.select().from(cardTransactions).where(isLate(card));
  return rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
}

async function isAnythingProcessing(tx: Tx, { merchantId, id }: CardRow): Promise<boolean> {
  const rows = await tx
    .select({ id: cardOperations.id })
    .from(cardOperations)
    .where(and(eq(cardOperations.merchantId, merchantId), eq(cardOperations.cardId, id), eq(cardOperations.status, "processing")))
    .limit(1);
  return rows.length > 0;
}

async function transfersFor(tx: Tx, card: CardRow, { late, cents }: { late: TransactionRow; cents: bigint }): Promise<Transfer[]> {
  const { buy, mid, sell } = await lastRate(tx, { id: card.merchantId, mode: modeOf(card.provider) });
  const isLeft = cents > 0n;
  const rate = isLeft ? buy : sell;
  const meta = { type: isLeft ? "card_refund" : "card_charge", reference: late.id, exchange_rate: String(rate) };
  const exchange = { key: `${keyOf(late.id)}:passed_on`, rates: { rate, mid }, meta };
  return isLeft ? cardToWallet(tx, card, money(cents, "USD"), exchange) : walletToCard(card, money(-cents, "USD"), exchange);
}
