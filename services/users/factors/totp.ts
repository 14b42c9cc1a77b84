import { and, eq, gt, isNotNull, isNull, lt, sql } from "drizzle-orm";
import { Secret, TOTP } from "otpauth";
import type { Tx } from "#db/client.ts";
import { totpSecrets } from "#db/schema/two-factor.ts";
import { open, seal } from "#lib/sealed.ts";
import { MINUTE_MS } from "#lib/time.ts";
import type { FactorProof } from "./factor-proof.ts";

const SECRET_BYTES = 20;
const ISSUER = "Oja";
/** The defaults of authenticator apps, and the only values that all of them support. */
const PARAMETERS = { algorithm: "SHA1", digits: 6, period: 30 };
/** A code of the previous or next step is accepted too, because clocks differ and people type slowly. */
const WINDOW_STEPS = 1;

export interface TotpSecret {
  /** In base 32, to be typed into an app. */
  secret: string;
  /** The same for a QR code. */
  uri: string;
}

/** Stores a new secret of 160 bits that asks for no codes until it is confirmed. Returns undefined, and changes nothing, if one is confirmed. */
export async function storeNewSecret(
  tx: Tx,
  { userId, email, sessionId }: { userId: string; email: string; sessionId: string },
  provedBy: FactorProof,
): Promise<TotpSecret | undefined> {
  const secret = new Secret({ size: SECRET_BYTES });
  const values = { sealedSecret: seal("totp-secret", secret.base32, userId), lastStep: 0, provedBy, sessionId, createdAt: sql`now()` };
  const stored = await tx
    .insert(totpSecrets)
    .values({ userId, ...values })
    .onConflictDoUpdate({ target: totpSecrets.userId, set: values, setWhere: isNull(totpSecrets.confirmedAt) })
    .returning({ userId: totpSecrets.userId });
  if (stored.length === 0) return undefined;
  return { secret: secret.base32, uri: new TOTP({ issuer: ISSUER, label: email, secret, ...PARAMETERS }).toString() };
}

/** A secret waits this long for its first code, in the session that made it. */
const NEW_FOR_MS = 15 * MINUTE_MS;

/** Returns the proof with which a user made, in this session, the secret that waits for its first code. */
export async function proofOfNewSecret(tx: Tx, userId: string, sessionId: string): Promise<FactorProof | undefined> {
  const isNew = and(
    ...[eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt), eq(totpSecrets.sessionId, sessionId)],
    gt(totpSecrets.createdAt, sql`now() - ${NEW_FOR_MS} * interval '1 ms'`),
  );
  const [row] = await tx.select({ provedBy: totpSecrets.provedBy }).from(totpSecrets).where(isNew);
  return row?.provedBy ?? undefined;
}

/**
 * Accepts a code of a user's secret, once: the update succeeds only for a step after the last one. Returns false for a wrong or repeated code,
 * and if the user has no secret in that state. With `confirm` the secret is one that waits for its first code, and asks for codes from now on.
 */
export async function acceptTotp(tx: Tx, userId: string, code: string, { confirm = false } = {}): Promise<boolean> {
  const isMeant = and(eq(totpSecrets.userId, userId), confirm ? isNull(totpSecrets.confirmedAt) : isNotNull(totpSecrets.confirmedAt));
  const [row] = await tx.select({ sealedSecret: totpSecrets.sealedSecret }).from(totpSecrets).where(isMeant);
  if (!row) return false;
  const step = stepOf(code, open("totp-secret", row.sealedSecret, userId));
  if (step === undefined) return false;
  const accepted = await tx
    .update(totpSecrets)
    .set({ lastStep: step, ...(confirm && { confirmedAt: sql`now()` }) })
    .where(and(isMeant, eq(totpSecrets.sealedSecret, row.sealedSecret), lt(totpSecrets.lastStep, step)))
    .returning({ userId: totpSecrets.userId });
  return accepted.length > 0;
}

/** Returns the time step to which a code belongs, or undefined if it belongs to none of the present ones. */
function stepOf(token: string, secret: string): number | undefined {
  const timestamp = Date.now();
  const delta = TOTP.validate({ token, secret: Secret.fromBase32(secret), timestamp, window: WINDOW_STEPS, ...PARAMETERS });
  return delta === null ? undefined : TOTP.counter({ period: PARAMETERS.period, timestamp }) + delta;
}

/** Deletes a user's secret. Returns whether it was a confirmed one. */
export async function deleteSecret(tx: Tx, userId: string): Promise<boolean> {
  const [row] = await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning({ confirmedAt: totpSecrets.confirmedAt });
  return row ? row.confirmedAt !== null : false;
}
