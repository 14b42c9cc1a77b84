import { sql } from "drizzle-orm";
import { sql as query, type Tx, transaction } from "#db/client.ts";
import { log } from "#lib/log.ts";
import type { Role, SystemContext } from "../context.ts";
import { queueMail } from "../mails/index.ts";
import { verb } from "../verb.ts";
import { decide, sentWithinAnHour } from "./budget.ts";
import { choicesOf } from "./choices.ts";
import type { Frequency, Topic } from "./contract.ts";
import { drop, findDue, type Group, type Item, makeDaily, markMailed, postpone } from "./items.ts";
import { nextMorning } from "./recipients.ts";
import { toNewsMails, toSummaryMail } from "./to-mail.ts";

const MAX_MEMBERS = 200;
/** The sweep reads this many of the rows that are due the longest, to find their members. */
const MAX_SEARCHED_ROWS = 5_000;

/** A member with due items, with the present role and choices. */
interface Reader extends Group {
  email: string;
  name: string;
  role: Role;
  businessId: string;
  businessName: string;
  chosen: Record<string, Frequency>;
  /** When the person became a member. */
  joinedAt: Date;
}

/**
 * Queues the mails that are due to members. A mail's items are marked in the transaction that queues it, so each item is mailed to a member
 * once, even with two workers. A member whose mails cannot be made is logged, postponed by an hour, and delays no other. Returns how many
 * members it looked at.
 */
export const queueMemberMails = verb({ actor: ["system"] }, async (ctx: SystemContext): Promise<number> => {
  const groups = await query()<Group[]>`
    select distinct merchant_id as "merchantId", user_id as "userId" from (
      select merchant_id, user_id from mail_items where due_at <= now() order by due_at limit ${MAX_SEARCHED_ROWS}) due
    limit ${MAX_MEMBERS}`;
  for (const group of groups) {
    try {
      await transaction((tx) => tellMember(tx, ctx, group));
    } catch (error) {
      log().error({ ...group, err: error }, "the mails of a member could not be made; they are tried again in an hour");
      await query()`
        update mail_items set due_at = now() + interval '1 hour'
        where merchant_id = ${group.merchantId} and user_id = ${group.userId} and due_at <= now()`;
    }
  }
  return groups.length;
});

async function tellMember(tx: Tx, ctx: SystemContext, group: Group): Promise<void> {
  const reader = await lockReader(tx, group);
  const due = await findDue(tx, group);
  // Drops items of a person who has left, has a role without this topic, chose "never", or came back after the item.
  const choices = reader ? choicesOf(reader.role, new Map(Object.entries(reader.chosen) as [Topic, Frequency][])) : {};
  const frequencyOf = ({ topic, createdAt }: Item): Frequency =>
    reader && createdAt >= reader.joinedAt ? (choices[topic] ?? "never") : "never";
  await drop(
    tx,
    group,
    due.filter((item) => frequencyOf(item) === "never"),
  );
  if (!reader) return;
  const letter = { tx, ctx, reader };
  const wanted = due.filter((item) => frequencyOf(item) !== "never");
  await sendSummary(
    letter,
    wanted.filter(({ frequency }) => frequency === "daily"),
  );
  const each = wanted.filter(({ frequency }) => frequency === "each");
  await makeDaily(
    tx,
    reader,
    each.filter((item) => frequencyOf(item) === "daily"),
    nextMorning(),
  );
  await tellEach(
    letter,
    each.filter((item) => frequencyOf(item) === "each"),
  );
}

interface Letter {
  tx: Tx;
  ctx: SystemContext;
  reader: Reader;
}

/** Locks the membership, so that one worker at a time mails a member. Returns undefined where the person is no longer a member. */
async function lockReader(tx: Tx, { merchantId, userId }: Group): Promise<Reader | undefined> {
  type Row = Omit<Reader, keyof Group | "joinedAt"> & { joined_at: string };
  const [row] = await tx.execute<Row & Record<string, unknown>>(sql`
    select u.email, u.name, mem.role, mem.created_at as joined_at, b.id as "businessId", b.name as "businessName",
      coalesce((select jsonb_object_agg(topic, frequency) from mail_choices c where c.business_id = b.id and c.user_id = u.id), '{}') as chosen
    from merchants m join businesses b on b.id = m.business_id
    join members mem on mem.business_id = b.id and mem.user_id = ${userId} join users u on u.id = mem.user_id
    where m.id = ${merchantId} and u.email_verified_at is not null for no key update of mem`);
  return row && { ...row, merchantId, userId, joinedAt: new Date(row.joined_at) };
}

async function tellEach(letter: Letter, items: Item[]): Promise<void> {
  const [oldest] = items;
  if (!oldest) return;
  const { tx, ctx, reader } = letter;
  const { now, ...sent } = await sentWithinAnHour(tx, reader);
  const decision = decide({ count: items.length, oldest: oldest.createdAt }, sent, now);
  if (decision.how === "later") return postpone(tx, reader, items, decision.at);
  if (decision.how === "together") return sendSummary(letter, items);
  for (const words of await toNewsMails(tx, reader, items)) await queueMail(tx, ctx, { to: reader.email, kind: "news", words });
  await markMailed(tx, reader, items, "news");
}

async function sendSummary({ tx, ctx, reader }: Letter, items: Item[]): Promise<void> {
  if (items.length === 0) return;
  const words = await toSummaryMail(tx, reader, items);
  if (words) await queueMail(tx, ctx, { to: reader.email, kind: "summary", words });
  await markMailed(tx, reader, items, "summary");
}
