import { and, count, eq, isNull, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { recoveryCodes } from "#db/schema/two-factor.ts";
import { randomBase32 } from "#lib/ids.ts";
import { keyedHash } from "#lib/secrets.ts";
import { compactNumber } from "#lib/typed-text.ts";

const CODES = 10;
/** 16 characters of 5 bits each: 80 bits. */
const CHARACTERS = 16;

const hashOf = (userId: string, code: string) => keyedHash("recovery-code", `${userId}:${code}`);

/** Returns a typed code in its original form: ignores case, spaces and hyphens, and reads letters that look like digits as digits. */
const plainCode = (typed: string): string => compactNumber(typed).replaceAll(/[IL]/g, "1").replaceAll("O", "0");

const inGroups = (code: string): string => code.match(/.{4}/g)?.join("-") ?? code;

/** Returns ten new codes like `7K2M-9QXA-04TB-VW3E`. All earlier ones stop working. */
export async function renewCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => randomBase32(CHARACTERS));
  await deleteCodes(tx, userId);
  await tx.insert(recoveryCodes).values(codes.map((code) => ({ userId, hash: hashOf(userId, code) })));
  return codes.map(inGroups);
}

/** Uses a code up, once: the update returns its row to one caller. Returns false for a wrong or used one. */
export async function takeCode(tx: Tx, userId: string, typed: string): Promise<boolean> {
  const code = plainCode(typed);
  if (code.length !== CHARACTERS) return false;
  const used = await tx
    .update(recoveryCodes)
    .set({ usedAt: sql`now()` })
    .where(and(eq(recoveryCodes.userId, userId), eq(recoveryCodes.hash, hashOf(userId, code)), isNull(recoveryCodes.usedAt)))
    .returning({ hash: recoveryCodes.hash });
  return used.length > 0;
}

/** Returns how many codes of a user still work. */
export async function countCodes(userId: string, reader: Tx | Database = db()): Promise<number> {
  const [row] = await reader
    .select({ left: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)));
  return row?.left ?? 0;
}

export const deleteCodes = async (tx: Tx, userId: string): Promise<void> => {
  await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId));
};
