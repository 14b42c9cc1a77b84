import { randomBytes } from "node:crypto";
import { and, eq, gt, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { users } from "#db/schema/tenants.ts";
import { signInTickets } from "#db/schema/two-factor.ts";
import { keyedHash } from "#lib/secrets.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { UserRow } from "../user.ts";

const TOKEN_BYTES = 32;
const WORKS_FOR_MS = 10 * MINUTE_MS;
const hashOf = (ticket: string) => keyedHash("sign-in-ticket", ticket);

/** Returns a ticket of 256 random bits for a user whose password was right and whose second factor is due. It works once, for 10 minutes. */
export async function issueTicket(tx: Tx, userId: string): Promise<string> {
  const ticket = randomBytes(TOKEN_BYTES).toString("base64url");
  await tx.insert(signInTickets).values({ hash: hashOf(ticket), userId, expiresAt: sql`now() + ${WORKS_FOR_MS} * interval '1 ms'` });
  return ticket;
}

const isOpen = (ticket: string) => and(eq(signInTickets.hash, hashOf(ticket)), gt(signInTickets.expiresAt, sql`now()`));

/** Returns the user of a ticket that still works, and does not use it up. */
export async function findTicketUser(ticket: string, reader: Tx | Database = db()): Promise<UserRow | undefined> {
  const [row] = await reader
    .select({ user: users })
    .from(signInTickets)
    .innerJoin(users, eq(users.id, signInTickets.userId))
    .where(isOpen(ticket));
  return row?.user;
}

/** Uses up a user's ticket. Returns false if it is unknown, of another user, used or too old. */
export async function takeTicket(tx: Tx, ticket: string, userId: string): Promise<boolean> {
  const used = await tx
    .delete(signInTickets)
    .where(and(isOpen(ticket), eq(signInTickets.userId, userId)))
    .returning({ hash: signInTickets.hash });
  return used.length > 0;
}

/** Ends all sign-ins of a user whose second factor is due. */
export const endTickets = async (tx: Tx, userId: string): Promise<void> => {
  await tx.delete(signInTickets).where(eq(signInTickets.userId, userId));
};
