import { randomInt } from "node:crypto";
import { and, eq, gt, lte, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { mailedCodes } from "#db/schema/two-factor.ts";
import { keyedHash } from "#lib/secrets.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { MemberContext } from "../../context.ts";
import { LINK_WORKS_FOR_MS } from "../../mails/index.ts";
import { plainDigits } from "../factors/plain-digits.ts";

/** 10^8 codes. With six codes a day and five attempts at each, a guess succeeds with a chance of one in three million a day. */
const DIGITS = 8;
const MAX_TRIES = 5;
export const MIN_BETWEEN_CODES_MS = MINUTE_MS;

const hashOf = ({ actor, sessionId }: MemberContext, digits: string) => keyedHash("mailed-code", `${actor.id}:${sessionId}:${digits}`);

/** Returns a new code of eight digits for the member who acts, in place of an earlier one. It works once, for 15 minutes, in this session. */
export async function issueMailedCode(tx: Tx, ctx: MemberContext): Promise<string> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, "0");
  const values = {
    ...{ sessionId: ctx.sessionId, hash: hashOf(ctx, code), tries: 0, createdAt: sql`now()` },
    expiresAt: sql`now() + ${LINK_WORKS_FOR_MS.first_factor_code} * interval '1 ms'`,
  };
  await tx
    .insert(mailedCodes)
    .values({ userId: ctx.actor.id, ...values })
    .onConflictDoUpdate({ target: mailedCodes.userId, set: values });
  return code;
}

/** Returns whether a code was mailed to the user within the last minute, and was not used. */
export async function wasCodeMailedJustNow(tx: Tx, userId: string): Promise<boolean> {
  const isYoung = gt(mailedCodes.createdAt, sql`now() - ${MIN_BETWEEN_CODES_MS} * interval '1 ms'`);
  return (await tx.$count(mailedCodes, and(eq(mailedCodes.userId, userId), isYoung))) > 0;
}

/**
 * Counts an attempt at the member's code before the check, in a transaction of its own, because a refusal rolls back the rest. Others
 * may clear the failures of the account, but not these.
 */
export async function countMailedTry({ actor }: MemberContext): Promise<void> {
  await db()
    .update(mailedCodes)
    .set({ tries: sql`${mailedCodes.tries} + 1` })
    .where(eq(mailedCodes.userId, actor.id));
}

/** Uses up the code mailed to the acting member, in its session. Returns false for a wrong or old code, or after five attempts. */
export async function takeMailedCode(tx: Tx, ctx: MemberContext, typed: string): Promise<boolean> {
  const isIt = and(
    ...[eq(mailedCodes.userId, ctx.actor.id), eq(mailedCodes.sessionId, ctx.sessionId)],
    ...[eq(mailedCodes.hash, hashOf(ctx, plainDigits(typed))), gt(mailedCodes.expiresAt, sql`now()`)],
    lte(mailedCodes.tries, MAX_TRIES),
  );
  const taken = await tx.delete(mailedCodes).where(isIt).returning({ userId: mailedCodes.userId });
  return taken.length > 0;
}
