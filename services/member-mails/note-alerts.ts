import { and, eq, inArray, isNull, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { alerts } from "#db/schema/alerts.ts";
import { log } from "#lib/log.ts";
import type { AlertType } from "../alerts/index.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";
import { TOPIC_OF_ALERT } from "./alert-topics.ts";
import type { Topic } from "./contract.ts";
import { addItems, recipientsOf } from "./recipients.ts";

const MAX_ROWS = 1_000;

/**
 * Stores which members get mails about new alerts, each alert once, in the transaction that marks it as done. A merchant whose alerts cannot be
 * stored delays no other. Returns the number of alerts.
 */
export const noteAlertsForMails = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const found = await db()
    .select({ merchantId: alerts.merchantId, id: alerts.id })
    .from(alerts)
    .where(isNull(alerts.notedAt))
    .orderBy(alerts.id)
    .limit(MAX_ROWS);
  let noted = 0;
  for (const [merchantId, own] of Map.groupBy(found, (alert) => alert.merchantId)) {
    const ids = own.map(({ id }) => id);
    try {
      noted += await transaction((tx) => note(tx, merchantId, ids));
    } catch (error) {
      log().error({ merchantId, err: error }, "alerts of a merchant could not be noted for mails");
    }
  }
  return noted;
});

async function note(tx: Tx, merchantId: string, ids: string[]): Promise<number> {
  // Another worker that marks the same alerts waits here, and finds none.
  const marked = await tx
    .update(alerts)
    .set({ notedAt: sql`now()` })
    .where(and(eq(alerts.merchantId, merchantId), inArray(alerts.id, ids), isNull(alerts.notedAt)))
    .returning({ id: alerts.id, type: alerts.type });
  // A process of another version may raise alerts that this one does not know: the API lists them, and they are not mailed.
  const topicOf = ({ type }: { type: string }): Topic | undefined => TOPIC_OF_ALERT[type as AlertType];
  for (const [topic, own] of Map.groupBy(marked, topicOf)) {
    if (topic === undefined) continue;
    const causes = own.map(({ id }) => id);
    for (const recipient of await recipientsOf(tx, merchantId, topic)) await addItems(tx, { merchantId, topic, causes }, recipient);
  }
  return marked.length;
}
