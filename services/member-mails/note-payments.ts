import { and, asc, eq, gt } from "drizzle-orm";
import { sql as query, type Tx, transaction } from "#db/client.ts";
import { events } from "#db/schema/events.ts";
import { mailPositions } from "#db/schema/mails.ts";
import { log } from "#lib/log.ts";
import { DAY_MS, lagosDay, startOfLagosDay } from "#lib/time.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { addItems, nextMorning, recipientsOf } from "./recipients.ts";

const MAX_MERCHANTS = 200;
const MAX_EVENTS = 500;

/** The merchant at which the last sweep of this process ended, so that each sweep takes the next ones. */
let lastMerchantId = "";

/**
 * Notes new payments for the members who are mailed about each. Events are numbered in the order of their commits, so none is missed. A
 * merchant that fails is logged and delays no other. Returns how many events it went through.
 */
export const notePaymentsForMails = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, maxMerchants: number = MAX_MERCHANTS): Promise<number> => {
    const behind = await query()<{ merchant_id: string }[]>`
    select distinct p.merchant_id from mail_choices c
    join merchants m on m.business_id = c.business_id and m.mode = 'live'
    join mail_positions p on p.merchant_id = m.id
    join event_counters e on e.merchant_id = m.id and e.last_sequence > p.sequence
    where c.topic = 'payments' and c.frequency = 'each' and p.merchant_id > ${lastMerchantId} order by p.merchant_id limit ${maxMerchants}`;
    lastMerchantId = behind.length < maxMerchants ? "" : (behind.at(-1)?.merchant_id ?? "");
    let done = 0;
    for (const { merchant_id: merchantId } of behind) {
      try {
        done += await transaction((tx) => goOn(tx, merchantId));
      } catch (error) {
        log().error({ merchantId, err: error }, "payments of a merchant could not be noted for mails");
      }
    }
    return done;
  },
);

async function goOn(tx: Tx, merchantId: string): Promise<number> {
  const isOfMerchant = eq(mailPositions.merchantId, merchantId);
  const [position] = await tx.select().from(mailPositions).where(isOfMerchant).for("update", { skipLocked: true });
  if (!position) return 0;
  const found = await tx
    .select({ sequence: events.sequence, id: events.id, type: events.type, createdAt: events.createdAt })
    .from(events)
    .where(and(eq(events.merchantId, merchantId), gt(events.sequence, position.sequence)))
    .orderBy(asc(events.sequence))
    .limit(MAX_EVENTS);
  const last = found.at(-1);
  if (!last) return 0;
  const paid = found.filter(({ type }) => type === "checkout.success");
  const recipients = paid.length === 0 ? [] : await recipientsOf(tx, merchantId, "payments");
  for (const recipient of recipients.filter(({ frequency }) => frequency === "each")) {
    const { chosenAt } = recipient;
    const causes = paid.filter(({ createdAt }) => chosenAt === null || createdAt >= chosenAt).map(({ id }) => id);
    await addItems(tx, { merchantId, topic: "payments", causes }, recipient);
  }
  await tx.update(mailPositions).set({ sequence: last.sequence }).where(isOfMerchant);
  return found.length;
}

/** Returns the day of a cause that is a day of payments, or undefined for another cause. */
export const dayOf = (cause: string): string | undefined => (cause.startsWith("day:") ? cause.slice(4) : undefined);

/** If the worker was off for longer, payments of at most this many days are mailed. */
const DAYS_BACK = 7;

/**
 * Notes the payments of each of the last days, from the figures of the day, for the members who are mailed about payments once a day: of days that
 * began after they chose it, so that nothing is mailed twice. Does nothing before the morning, and nothing for a day without a payment. Returns how
 * many it noted.
 */
export const noteDaysForMails = verb({ actor: ["system"] }, async (_ctx: SystemContext, now: Date = new Date()): Promise<number> => {
  const today = lagosDay(now);
  if (lagosDay(nextMorning(now)) === today) return 0;
  let noted = 0;
  for (let back = 1; back <= DAYS_BACK; back++) {
    const begins = new Date(startOfLagosDay(today).getTime() - back * DAY_MS);
    const day = lagosDay(begins);
    const added = await query()`
      insert into mail_items (merchant_id, user_id, cause, topic, frequency, due_at)
      select m.id, c.user_id, ${`day:${day}`}, 'payments', 'daily', now() from mail_choices c
      join merchants m on m.business_id = c.business_id and m.mode = 'live'
      where c.topic = 'payments' and c.frequency = 'daily' and c.chosen_at < ${begins.toISOString()}
        and exists (select from daily_figures f where f.merchant_id = m.id and f.day = ${day} and f.source = 'event' and f.type = 'checkout.success')
      on conflict do nothing`;
    noted += added.count;
  }
  return noted;
});
