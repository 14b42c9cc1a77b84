import { and, eq, gt, isNotNull, ne, notExists, or, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardOperations, cards } from "#db/schema/cards.ts";
import { ledgerAccounts } from "#db/schema/ledger.ts";
import { cardTransactions } from "#db/schema/spend.ts";
import { log } from "#lib/log.ts";
import { lagosDay } from "#lib/time.ts";
import { alertOperators, raiseAlert } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { OperationRow } from "../card-operation.ts";
import { makeCardDue } from "../rows.ts";
import { MAX_RECHECKS_MS, MAX_UNDECIDED_MS, MAX_WAIT_MS } from "../schedule.ts";

const MAX_ROWS = 200;

/** Returns terminated cards on which a corrected operation has left money for longer than `MAX_WAIT_MS`. The correction has blocked them. */
const findCorrectedWithMoney = () =>
  db()
    .select({ merchantId: cards.merchantId, id: cards.id, provider: cards.provider })
    .from(cards)
    .innerJoin(
      ledgerAccounts,
      and(
        eq(ledgerAccounts.merchantId, cards.merchantId),
        eq(ledgerAccounts.account, sql`'card:' || ${cards.id}`),
        ne(ledgerAccounts.available, 0n),
      ),
    )
    .where(
      and(
        eq(cards.status, "TERMINATED"),
        sql`${cards.blockedAt} < now() - ${MAX_WAIT_MS} * interval '1 ms'`,
        // Money of recent spend has not waited long enough.
        notExists(
          db()
            .select({ id: cardTransactions.id })
            .from(cardTransactions)
            .where(
              and(
                eq(cardTransactions.merchantId, cards.merchantId),
                eq(cardTransactions.cardId, cards.id),
                eq(cardTransactions.awaitsPassingOn, true),
                sql`${cardTransactions.createdAt} >= now() - ${MAX_WAIT_MS} * interval '1 ms'`,
              ),
            ),
        ),
      ),
    )
    .limit(MAX_ROWS);

/**
 * Alerts operators, and the merchant once a day, to terminated cards whose late spend is not passed on to the wallet within `MAX_WAIT_MS`. Makes those cards due.
 * Returns how many it found, at most `MAX_ROWS`.
 */
export const alertOnWaitingSpend = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const waiting = await db()
    .selectDistinct({ merchantId: cards.merchantId, id: cards.id, provider: cards.provider })
    .from(cardTransactions)
    .innerJoin(cards, and(eq(cards.merchantId, cardTransactions.merchantId), eq(cards.id, cardTransactions.cardId)))
    .where(
      and(
        eq(cards.status, "TERMINATED"),
        eq(cardTransactions.awaitsPassingOn, true),
        // An expired authorization waits since its expiry, but the row does not store that time.
        or(ne(cardTransactions.type, "AUTHORIZATION"), gt(cardTransactions.openAmount, 0n)),
        sql`${cardTransactions.createdAt} < now() - ${MAX_WAIT_MS} * interval '1 ms'`,
      ),
    )
    .limit(MAX_ROWS);
  for (const { merchantId, id, provider } of [...waiting, ...(await findCorrectedWithMoney())]) {
    log().error({ cardId: id, merchantId }, "spend that came after a card's end waits too long to be passed on");
    await alertOperators(modeOf(provider), {
      type: "card_spend.waiting",
      resourceId: id,
      message: `Card ${id} of ${merchantId}: spend that came after its end waits for more than an hour to be passed on. Is its issuer reachable?`,
    });
    await raiseAlert(db(), merchantId, {
      ...{ type: "card_spend.waiting", resourceId: id, cause: `${id}:${lagosDay(new Date())}` },
      message: "What shops took or gave back after the card's end has waited for more than an hour. Our people look into it.",
    });
    await makeCardDue(db(), { merchantId, id });
  }
  return waiting.length;
});

const isOlderThan = (ms: number) => sql`${cardOperations.createdAt} < now() - ${ms} * interval '1 ms'`;

/** The last re-check of a lost operation is due within `MAX_RECHECKS_MS` of its claim, unless the issuer has not answered them. */
const isRecheckedInVain = and(isNotNull(cardOperations.recheckAt), isOlderThan(MAX_RECHECKS_MS));

/**
 * Alerts operators to operations that stay undecided for `MAX_UNDECIDED_MS`, because a termination of the same card waits until they are final,
 * and to lost ones whose re-checks get no answer, because the card's differences cannot be resolved until then.
 * Returns how many it found, at most `MAX_ROWS`.
 */
export const alertOnUndecidedOperations = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const undecided = await db()
    .select({
      ...{ id: cardOperations.id, type: cardOperations.type, status: cardOperations.status },
      ...{ merchantId: cards.merchantId, cardId: cards.id, provider: cards.provider },
    })
    .from(cardOperations)
    .innerJoin(cards, and(eq(cards.merchantId, cardOperations.merchantId), eq(cards.id, cardOperations.cardId)))
    .where(or(and(eq(cardOperations.status, "processing"), isOlderThan(MAX_UNDECIDED_MS)), isRecheckedInVain))
    .limit(MAX_ROWS);
  for (const { id, type, status, merchantId, cardId, provider } of undecided) {
    log().error({ operationId: id, cardId, merchantId }, "a card operation is undecided for more than a day");
    await alertOperators(modeOf(provider), {
      type: "card_operation.undecided",
      resourceId: id,
      message: `${type} ${id} of card ${cardId} (${merchantId}) ${adviceOn(status, provider, id)} --reason TEXT`,
    });
  }
  return undecided.length;
});

const adviceOn = (status: OperationRow["status"], provider: string, id: string): string =>
  status === "processing"
    ? `is undecided for more than a day. Ask ${provider}, then: npm run oja -- cards settle ${id}`
    : `failed, and ${provider} has not answered its re-checks. Ask ${provider}; if it was not done: npm run oja -- cards stop-rechecks ${id}`;
