import { randomBytes } from "node:crypto";
import { and, eq, gt, isNull, type SQL, sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { userTokens } from "#db/schema/users.ts";
import { keyedHash } from "#lib/secrets.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { LINK_WORKS_FOR_MS } from "../mails/index.ts";
import type { UserRow } from "./user.ts";

export type TokenKind = typeof userTokens.$inferSelect.kind;

const TOKEN_BYTES = 32;

const hashOf = (token: string) => keyedHash("user-token", token);

const isUsable = (kind: TokenKind, token: string) =>
  and(eq(userTokens.hash, hashOf(token)), eq(userTokens.kind, kind), isNull(userTokens.usedAt), gt(userTokens.expiresAt, sql`now()`));

/**
 * Returns a new token for a link in a mail: 256 random bits. Only its keyed hash is stored. Ends earlier tokens that verify an email. Those
 * that reset a password stay, because otherwise a stranger who requests one would end the owner's. `since` is only for the kind `not_me`.
 */
export async function issueToken(tx: Tx, kind: TokenKind, userId: string, since: SQL | Date | null = null): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString("base64url");
  if (kind === "verify_email") await endTokens(tx, kind, userId);
  await tx
    .insert(userTokens)
    .values({ hash: hashOf(token), kind, userId, since, expiresAt: sql`now() + ${LINK_WORKS_FOR_MS[kind]} * interval '1 ms'` });
  return token;
}

/** Ends all tokens of a kind that a user has. */
export const endTokens = async (tx: Tx, kind: TokenKind, userId: string): Promise<void> => {
  await tx
    .update(userTokens)
    .set({ usedAt: sql`now()` })
    .where(and(eq(userTokens.userId, userId), eq(userTokens.kind, kind), isNull(userTokens.usedAt)));
};

/** A stranger may request mails to another person. That person gets at most one of each kind in this time. */
const MIN_BETWEEN_MS = 2 * MINUTE_MS;

/** Returns whether a token of the kind was issued for the user within the last two minutes. */
export async function wasIssuedJustNow(tx: Tx, kind: TokenKind, userId: string): Promise<boolean> {
  const rows = await tx
    .select({ hash: userTokens.hash })
    .from(userTokens)
    .where(
      and(
        eq(userTokens.userId, userId),
        eq(userTokens.kind, kind),
        gt(userTokens.createdAt, sql`now() - ${MIN_BETWEEN_MS} * interval '1 ms'`),
      ),
    )
    .limit(1);
  return rows.length > 0;
}

/** Uses up a token `not_me`, but not the user's other ones. Returns its `since`, or undefined if it is unknown, used or too old. */
export async function consumeNotMeToken(tx: Tx, token: string): Promise<Date | undefined> {
  const [used] = await tx
    .update(userTokens)
    .set({ usedAt: sql`now()` })
    .where(isUsable("not_me", token))
    .returning({ since: userTokens.since });
  return used?.since ?? undefined;
}

/**
 * Uses up a token, and ends the user's other tokens of the kind. Returns false if it is unknown, used or too old. The caller has locked
 * the user.
 */
export async function consumeToken(tx: Tx, kind: TokenKind, token: string): Promise<boolean> {
  const [used] = await tx
    .update(userTokens)
    .set({ usedAt: sql`now()` })
    .where(isUsable(kind, token))
    .returning({ userId: userTokens.userId });
  if (used) await endTokens(tx, kind, used.userId);
  return used !== undefined;
}

/** Returns the user of a token that still works, and does not use it up. */
export async function findTokenUser(kind: TokenKind, token: string): Promise<UserRow | undefined> {
  const [row] = await db()
    .select({ user: users })
    .from(userTokens)
    .innerJoin(users, eq(users.id, userTokens.userId))
    .where(isUsable(kind, token));
  return row?.user;
}
