import { and, eq, ne, sql } from "drizzle-orm";
import { db, type Tx, transaction } from "#db/client.ts";
import { mailChoices, mailPositions } from "#db/schema/mails.ts";
import { merchants } from "#db/schema/tenants.ts";
import { invalid } from "#lib/problem.ts";
import type { MemberContext, Role } from "../context.ts";
import { listTeam, type TeamMember } from "../members/index.ts";
import { verb } from "../verb.ts";
import { defaultFrequency, type Frequency, type MailChoices, type Topic, topicsOf } from "./contract.ts";

type Chosen = ReadonlyMap<Topic, Frequency>;

/** Returns how often a role is mailed about each topic that it may see, given what the member chose. */
export const choicesOf = (role: Role, chosen: Chosen): MailChoices =>
  Object.fromEntries(topicsOf(role).map((topic) => [topic, chosen.get(topic) ?? defaultFrequency(role, topic)]));

/** Returns how often the member who acts is mailed about each topic. */
export async function readMailChoices(ctx: MemberContext, on: Pick<Tx, "select"> = db()): Promise<MailChoices> {
  const rows = await on
    .select({ topic: mailChoices.topic, frequency: mailChoices.frequency })
    .from(mailChoices)
    .where(and(eq(mailChoices.businessId, ctx.merchant.businessId), eq(mailChoices.userId, ctx.actor.id)));
  return choicesOf(ctx.role, new Map(rows.map(({ topic, frequency }) => [topic, frequency])));
}

/**
 * Chooses how often the member who acts is mailed about some topics of the business's live mode. Returns all choices. Throws VALIDATION_ERROR
 * for a topic that the role may not see.
 */
export const setMailChoices = verb({ permission: "browse" }, async (ctx: MemberContext, chosen: MailChoices): Promise<MailChoices> => {
  const topics = topicsOf(ctx.role);
  const { businessId } = ctx.merchant;
  return transaction(async (tx) => {
    for (const [topic, frequency] of Object.entries(chosen) as [Topic, Frequency | undefined][]) {
      if (frequency === undefined) continue;
      if (!topics.includes(topic)) throw invalid(topic, "Your role does not see this, so it is not mailed about it.");
      if (topic === "payments" && frequency === "each") await beginAtNow(tx, businessId);
      await tx
        .insert(mailChoices)
        .values({ businessId, userId: ctx.actor.id, topic, frequency })
        .onConflictDoUpdate({
          target: [mailChoices.businessId, mailChoices.userId, mailChoices.topic],
          set: { frequency, chosenAt: sql`excluded.chosen_at` },
          setWhere: ne(mailChoices.frequency, frequency),
        });
    }
    return readMailChoices(ctx, tx);
  });
});

/** Starts to store payments as mail items from the newest event on. Does nothing if another member is already mailed about each payment. */
async function beginAtNow(tx: Tx, businessId: string): Promise<void> {
  const others = await tx.$count(
    mailChoices,
    and(eq(mailChoices.businessId, businessId), eq(mailChoices.topic, "payments"), eq(mailChoices.frequency, "each")),
  );
  if (others > 0) return;
  const newest = sql<bigint>`coalesce((select last_sequence from event_counters c where c.merchant_id = ${merchants.id}), 0)`;
  await tx
    .insert(mailPositions)
    .select(
      tx
        .select({ merchantId: merchants.id, sequence: newest.as("sequence") })
        .from(merchants)
        .where(and(eq(merchants.businessId, businessId), eq(merchants.mode, "live"))),
    )
    .onConflictDoUpdate({ target: mailPositions.merchantId, set: { sequence: sql`greatest(mail_positions.sequence, excluded.sequence)` } });
}

/** Returns the members of the business, in the order of the team, and how often each is mailed about each topic that the role may see. */
export async function listTeamMailChoices(ctx: MemberContext): Promise<(TeamMember & { choices: MailChoices })[]> {
  const [team, rows] = await Promise.all([
    listTeam(ctx),
    db().select().from(mailChoices).where(eq(mailChoices.businessId, ctx.merchant.businessId)),
  ]);
  return team.map((member) => {
    const chosen = rows.filter(({ userId }) => userId === member.userId).map(({ topic, frequency }) => [topic, frequency] as const);
    return { ...member, choices: choicesOf(member.role, new Map(chosen)) };
  });
}
