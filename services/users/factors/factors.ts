import { and, eq, isNotNull } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { passkeys, totpSecrets } from "#db/schema/two-factor.ts";
import { plainDigits } from "./plain-digits.ts";
import { countCodes, deleteCodes, takeCode } from "./recovery-codes.ts";
import { acceptTotp } from "./totp.ts";

/** A second factor that a person may give after the password. A recovery code is typed into the field of the code. */
export type Factor = "code" | "passkey";

export interface Factors {
  isTotpOn: boolean;
  hasPasskeys: boolean;
}

/** Returns the second factors of a user. Recovery codes are not included, because they only replace one of these. */
export async function readFactors(userId: string, reader: Tx | Database = db()): Promise<Factors> {
  const isConfirmed = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
  const secrets = await reader.select({ userId: totpSecrets.userId }).from(totpSecrets).where(isConfirmed);
  const keys = await reader.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1);
  return { isTotpOn: secrets.length > 0, hasPasskeys: keys.length > 0 };
}

/** Returns whether a user has a second factor, so that the password alone does not sign in. */
export async function hasSecondFactor(userId: string, reader: Tx | Database = db()): Promise<boolean> {
  const { isTotpOn, hasPasskeys } = await readFactors(userId, reader);
  return isTotpOn || hasPasskeys;
}

/** Returns the factors of which the user must give one after the password. Empty for a user without a second factor. */
export async function factorsOf(tx: Tx, userId: string): Promise<Factor[]> {
  const { isTotpOn, hasPasskeys } = await readFactors(userId, tx);
  const mayTypeCode = isTotpOn || (hasPasskeys && (await countCodes(userId, tx)) > 0);
  return [...(mayTypeCode ? (["code"] as const) : []), ...(hasPasskeys ? (["passkey"] as const) : [])];
}

/** Deletes the recovery codes of a user who has no second factor left that they could replace. */
export async function dropUnusableCodes(tx: Tx, userId: string): Promise<void> {
  if (!(await hasSecondFactor(userId, tx))) await deleteCodes(tx, userId);
}

const MAX_TYPED = 100;
const TOTP_CODE = /^\d{6}$/;

/** Returns whether a typed text may be guessed: six digits may, the 80 random bits of a recovery code may not. */
export const isGuessable = (typed: string): boolean => typed.length <= MAX_TYPED && TOTP_CODE.test(plainDigits(typed));

/**
 * Accepts what a person typed as a code: six digits are one of the authenticator app, anything else is a recovery code. Uses it up. Returns
 * which it was, or undefined if it is wrong or was used before.
 */
export async function acceptCode(tx: Tx, userId: string, typed: string): Promise<"code" | "recovery_code" | undefined> {
  if (typed.length > MAX_TYPED) return undefined;
  const digits = plainDigits(typed);
  if (TOTP_CODE.test(digits)) return (await acceptTotp(tx, userId, digits)) ? "code" : undefined;
  return (await takeCode(tx, userId, typed)) ? "recovery_code" : undefined;
}
