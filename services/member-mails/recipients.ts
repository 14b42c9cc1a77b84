import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { HOUR_MS, lagosDay, startOfLagosDay } from "#lib/time.ts";
import type { Role } from "../context.ts";
import { PLATFORM_BUSINESS } from "../platform.ts";
import { defaultFrequency, type Frequency, type Topic, topicsOf } from "./contract.ts";

/** A member who is mailed about a topic. */
interface Recipient {
  userId: string;
  frequency: Exclude<Frequency, "never">;
  /** When the member chose the frequency. Null: it is the default of the role. */
  chosenAt: Date | null;
}

/** The hour of the morning in Lagos at which daily mails are sent. */
const MORNING = 7;

/** Returns the next morning: the time of mails that are sent once a day. */
export function nextMorning(now = new Date()): Date {
  const today = startOfLagosDay(lagosDay(now)).getTime() + MORNING * HOUR_MS;
  return new Date(today > now.getTime() ? today : today + 24 * HOUR_MS);
}

interface Row extends Record<string, unknown> {
  userId: string;
  role: Role;
  frequency: Frequency | null;
  chosen_at: string | null;
}

/**
 * Returns the members who are mailed about a topic of a merchant: in live mode only, because test mode has no real money. Operators read the alerts of the
 * platform's merchant at the command line.
 */
export async function recipientsOf(tx: Tx, merchantId: string, topic: Topic): Promise<Recipient[]> {
  const rows = await tx.execute<Row>(sql`
    select mem.user_id as "userId", mem.role, c.frequency, c.chosen_at from merchants m
    join members mem on mem.business_id = m.business_id
    left join mail_choices c on c.business_id = mem.business_id and c.user_id = mem.user_id and c.topic = ${topic}
    where m.id = ${merchantId} and m.mode = 'live' and m.business_id <> ${PLATFORM_BUSINESS}`);
  return rows.flatMap(({ userId, role, frequency: chosen, chosen_at }) => {
    const frequency = chosen ?? defaultFrequency(role, topic);
    if (frequency === "never" || !topicsOf(role).includes(topic)) return [];
    return [{ userId, frequency, chosenAt: chosen_at === null ? null : new Date(chosen_at) }];
  });
}

interface NewItems {
  merchantId: string;
  topic: Topic;
  /** The ids of alerts or events. */
  causes: string[];
}

/** Stores items of which a member gets mails, each once. Uses one statement with few parameters, however many items there are. */
export async function addItems(tx: Tx, { merchantId, topic, causes }: NewItems, { userId, frequency }: Recipient): Promise<void> {
  const dueAt = frequency === "each" ? sql`now()` : sql`${nextMorning().toISOString()}::timestamptz`;
  await tx.execute(sql`
    insert into mail_items (merchant_id, user_id, cause, topic, frequency, due_at)
    select ${merchantId}, ${userId}, cause, ${topic}, ${frequency}, ${dueAt} from jsonb_array_elements_text(${JSON.stringify(causes)}::text::jsonb) cause
    on conflict do nothing`);
}
