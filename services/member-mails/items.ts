import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import type { Frequency, Topic } from "./contract.ts";

/** A member of a merchant's business. */
export interface Group {
  merchantId: string;
  userId: string;
}

/** An alert, a payment or a day of payments that a member gets a mail about. */
export interface Item {
  cause: string;
  topic: Topic;
  frequency: Exclude<Frequency, "never">;
  createdAt: Date;
}

const MAX_ITEMS = 20_000;

/** Returns the due items of a member, oldest first. */
export async function findDue(tx: Tx, { merchantId, userId }: Group): Promise<Item[]> {
  const rows = await tx.execute<Omit<Item, "createdAt"> & { created_at: string }>(sql`
    select cause, topic, frequency, created_at from mail_items
    where merchant_id = ${merchantId} and user_id = ${userId} and due_at <= now() order by created_at, cause limit ${MAX_ITEMS}`);
  return rows.map(({ cause, topic, frequency, created_at }) => ({ cause, topic, frequency, createdAt: new Date(created_at) }));
}

async function change(tx: Tx, { merchantId, userId }: Group, items: readonly Item[], set: ReturnType<typeof sql>): Promise<void> {
  if (items.length === 0) return;
  const causes = JSON.stringify(items.map(({ cause }) => cause));
  await tx.execute(sql`
    update mail_items set ${set}
    where merchant_id = ${merchantId} and user_id = ${userId} and cause in (select jsonb_array_elements_text(${causes}::text::jsonb))`);
}

export const markMailed = (tx: Tx, group: Group, items: readonly Item[], mailedIn: "news" | "summary"): Promise<void> =>
  change(tx, group, items, sql`due_at = null, mailed_at = now(), mailed_in = ${mailedIn}`);

/** Sets the next time at which items are due. */
export const postpone = (tx: Tx, group: Group, items: readonly Item[], dueAt: Date): Promise<void> =>
  change(tx, group, items, sql`due_at = ${dueAt.toISOString()}::timestamptz`);

/** Makes items part of the mail of a morning. */
export const makeDaily = (tx: Tx, group: Group, items: readonly Item[], morning: Date): Promise<void> =>
  change(tx, group, items, sql`frequency = 'daily', due_at = ${morning.toISOString()}::timestamptz`);

/** Ends items that are not mailed. */
export const drop = (tx: Tx, group: Group, items: readonly Item[]): Promise<void> => change(tx, group, items, sql`due_at = null`);
