import { and, eq, isNotNull, type SQL, sql } from "drizzle-orm";
import type { AnyPgColumn } from "drizzle-orm/pg-core";
import type { Tx } from "#db/client.ts";
import { passkeys, totpSecrets } from "#db/schema/two-factor.ts";
import { hashOfDevice } from "./devices.ts";

/** The proof that a person signs in with. */
export type SignInProof = "password" | "code" | "recovery_code" | { passkeyId: string };

/**
 * Notes that a factor has signed in from a browser that its owner had used before the factor was added. A thief's browser is not such a one: it must
 * have been known for a day before that, or the account must have been new. The caller has not remembered this sign-in's browser yet.
 */
export async function noteUse(tx: Tx, userId: string, proof: SignInProof, device: string | null): Promise<void> {
  if (device === null || proof === "password" || proof === "recovery_code") return;
  if (proof === "code") {
    const isIt = and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt));
    await tx
      .update(totpSecrets)
      .set({ usedFromKnownDevice: true })
      .where(and(isIt, wasKnownBefore(userId, device, totpSecrets.confirmedAt)));
    return;
  }
  await tx
    .update(passkeys)
    .set({ usedFromKnownDevice: true })
    .where(and(eq(passkeys.id, proof.passkeyId), wasKnownBefore(userId, device, passkeys.createdAt)));
}

const wasKnownBefore = (userId: string, device: string, addedAt: AnyPgColumn): SQL => sql`exists (
  select from known_devices d join users u on u.id = d.user_id
  where d.user_id = ${userId} and d.hash = ${hashOfDevice(device)} and d.created_at < ${addedAt}
    and (d.created_at < ${addedAt} - interval '1 day' or u.created_at > ${addedAt} - interval '1 day'))`;
