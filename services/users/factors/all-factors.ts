import { and, eq, isNotNull } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeys, totpSecrets } from "#db/schema/two-factor.ts";
import type { UserRow } from "../user.ts";
import { deleteCodes } from "./recovery-codes.ts";
import { deleteSecret } from "./totp.ts";

interface FactorTime {
  at: Date;
  isKnown: boolean;
}

async function readTimes(userId: string, reader: Tx | Database): Promise<FactorTime[]> {
  const apps = await reader
    .select({ at: totpSecrets.confirmedAt, isKnown: totpSecrets.usedFromKnownDevice })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)));
  const keys = await reader
    .select({ at: passkeys.createdAt, isKnown: passkeys.usedFromKnownDevice })
    .from(passkeys)
    .where(eq(passkeys.userId, userId));
  return [...apps, ...keys].flatMap(({ at, isKnown }) => (at ? [{ at, isKnown }] : []));
}

/** Returns when each second factor of a user was added. */
export const timesOfFactors = async (userId: string, reader: Tx | Database = db()): Promise<Date[]> =>
  (await readTimes(userId, reader)).map(({ at }) => at);

/** Removes every second factor of a user, with the recovery codes. Returns how many there were. */
export async function removeAllFactors(tx: Tx, userId: string): Promise<number> {
  const hadApp = await deleteSecret(tx, userId);
  const removed = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  await deleteCodes(tx, userId);
  return removed.length + (hadApp ? 1 : 0);
}

/**
 * Removes the second factors of a user whose first one was added since a time, by a mailed code. Each later one was proved by a factor that
 * descends from it, so none is worth more than the first. Removes none if one of them has signed in from a browser that the user had used before.
 * Returns how many it removed. The caller has locked the user.
 */
export async function removeFactorsSince(tx: Tx, { id, factorsSince }: UserRow, since: Date): Promise<number> {
  if (factorsSince === null || factorsSince < since) return 0;
  const factors = await readTimes(id, tx);
  return factors.some(({ isKnown }) => isKnown) ? 0 : removeAllFactors(tx, id);
}
