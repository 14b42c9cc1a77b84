import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { passkeys, totpSecrets } from "#db/schema/two-factor.ts";
import { hashOfDevice } from "./devices.ts";

/** The proof that a person signs in with. */
export type SignInProof = "password" | "code" | "recovery_code" | { passkeyId: string };

/**
 * Stores that a factor has signed in from a browser that its owner had used before the first factor was added. A thief's browser does not qualify:
 * the browser must have been known for a day before that, or the account was in its first day, and not reset by mail since. The caller has not
 * stored this sign-in's browser yet.
 */
export async function noteUse(tx: Tx, userId: string, proof: SignInProof, device: string | null): Promise<void> {
  if (device === null || proof === "password" || proof === "recovery_code") return;
  const isOfKnown = wasKnownBefore(userId, device);
  if (proof === "code") {
    await tx
      .update(totpSecrets)
      .set({ usedFromKnownDevice: true })
      .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt), isOfKnown));
    return;
  }
  await tx
    .update(passkeys)
    .set({ usedFromKnownDevice: true })
    .where(and(eq(passkeys.id, proof.passkeyId), isOfKnown));
}

const wasKnownBefore = (userId: string, device: string): SQL => sql`exists (
  select from known_devices d join users u on u.id = d.user_id
  where d.user_id = ${userId} and d.hash = ${hashOfDevice(device)} and d.created_at < u.factors_since
    and (d.created_at < u.factors_since - interval '1 day'
      or (u.created_at > u.factors_since - interval '1 day' and u.password_reset_at is null)))`;
