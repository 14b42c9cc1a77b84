import { eq, sql } from "drizzle-orm";
import { type Database, db, type Tx } from "#db/client.ts";
import { providerChecks } from "#db/schema/checkout.ts";
import { settings } from "#lib/env.ts";
import { invalid } from "#lib/problem.ts";
import { keyedHash } from "#lib/secrets.ts";

/** For so long a green check lets operators put merchants behind a bank. */
const FRESH_FOR_HOURS = 24;
/** For so long a round trip proves that a bank's notices reach us. */
const ROUND_TRIP_FOR_DAYS = 30;

/** Returns a keyed hash of the settings of a provider and of our own address: what a check has found holds for these alone. */
export function fingerprintOf(provider: string): string {
  const prefix = `OJA_${provider.toUpperCase()}_`;
  const its = Object.entries(settings()).filter(([name]) => name.startsWith(prefix) || name === "BASE_URL");
  return keyedHash("provider-settings", JSON.stringify(its.toSorted(([one], [other]) => one.localeCompare(other))));
}

/** Throws VALIDATION_ERROR unless every check of a bank was passed within the last 24 hours, with the settings of now. */
export async function requireGreen(bank: string, reader: Tx | Database = db()): Promise<void> {
  const { isGreen, checkFingerprint, checkedAt } = providerChecks;
  const isFresh = sql<boolean>`coalesce(${checkedAt} > now() - ${FRESH_FOR_HOURS}::int * interval '1 h', false)`;
  const [check] = await reader.select({ isGreen, checkFingerprint, isFresh }).from(providerChecks).where(eq(providerChecks.provider, bank));
  const then = `npm run oja -- check-live ${bank}`;
  if (!check?.isFresh || check.checkFingerprint !== fingerprintOf(bank))
    throw invalid("bank", `${bank} was not checked within ${FRESH_FOR_HOURS} hours with the settings of now. Do that first: ${then}`);
  if (!check.isGreen) throw invalid("bank", `The last check of ${bank} found a problem. Mend it and check again: ${then}`);
}

export async function storeCheck(provider: string, isGreen: boolean): Promise<void> {
  const now = { checkedAt: sql`now()`, isGreen, checkFingerprint: fingerprintOf(provider) };
  await db()
    .insert(providerChecks)
    .values({ provider, ...now })
    .onConflictDoUpdate({ target: providerChecks.provider, set: now });
}

/** Returns whether ₦100 have come by a bank and gone back within the last 30 days, with the settings of now. */
export async function hasRoundTrip(provider: string): Promise<boolean> {
  const { roundTripFingerprint, roundTripAt } = providerChecks;
  const isFresh = sql<boolean>`${roundTripAt} > now() - ${ROUND_TRIP_FOR_DAYS}::int * interval '1 day'`;
  const [check] = await db().select({ roundTripFingerprint, isFresh }).from(providerChecks).where(eq(providerChecks.provider, provider));
  return check?.isFresh === true && check.roundTripFingerprint === fingerprintOf(provider);
}

export async function storeRoundTrip(provider: string): Promise<void> {
  const done = { roundTripAt: sql`now()`, roundTripFingerprint: fingerprintOf(provider) };
  await db()
    .insert(providerChecks)
    .values({ provider, isGreen: false, ...done })
    .onConflictDoUpdate({ target: providerChecks.provider, set: done });
}
