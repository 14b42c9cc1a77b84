import { and, eq, gte, isNotNull } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeys, recoveryCodes, totpSecrets } from "#db/schema/two-factor.ts";
import { dropUnusableCodes } from "./factors.ts";
import { deleteCodes } from "./recovery-codes.ts";
import { deleteSecret } from "./totp.ts";

/** Returns when each second factor of a user was added. */
export async function timesOfFactors(userId: string, reader: Tx | Database = db()): Promise<Date[]> {
  const apps = await reader
    .select({ at: totpSecrets.confirmedAt })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)));
  const keys = await reader.select({ at: passkeys.createdAt }).from(passkeys).where(eq(passkeys.userId, userId));
  return [...apps, ...keys].flatMap(({ at }) => at ?? []);
}

/** Removes every second factor of a user, with the recovery codes. Returns whether there was one. */
export async function removeAllFactors(tx: Tx, userId: string): Promise<boolean> {
  const hadApp = await deleteSecret(tx, userId);
  const removed = await tx.delete(passkeys).where(eq(passkeys.userId, userId)).returning({ id: passkeys.id });
  await deleteCodes(tx, userId);
  return hadApp || removed.length > 0;
}

/**
 * Removes the second factors of a user that were added on a mailed code since a time, with the recovery codes that came with them. One that an
 * earlier factor proved stays, and so does one that has signed in from a browser that the user had used before. Returns how many it removed.
 */
export async function removeMailedFactors(tx: Tx, userId: string, since: Date): Promise<number> {
  const apps = await tx
    .delete(totpSecrets)
    .where(
      and(
        ...[eq(totpSecrets.userId, userId), gte(totpSecrets.confirmedAt, since)],
        ...[eq(totpSecrets.provedBy, "mailed_code"), eq(totpSecrets.usedFromKnownDevice, false)],
      ),
    )
    .returning({ at: totpSecrets.confirmedAt });
  const keys = await tx
    .delete(passkeys)
    .where(
      and(
        ...[eq(passkeys.userId, userId), gte(passkeys.createdAt, since)],
        ...[eq(passkeys.provedBy, "mailed_code"), eq(passkeys.usedFromKnownDevice, false)],
      ),
    )
    .returning({ at: passkeys.createdAt });
  for (const at of [...apps, ...keys].flatMap((removed) => removed.at ?? [])) {
    // A first factor and its codes are stored in one transaction, so they have the same time.
    await tx.delete(recoveryCodes).where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.createdAt, at)));
  }
  await dropUnusableCodes(tx, userId);
  return apps.length + keys.length;
}
