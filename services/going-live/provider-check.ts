import { eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { providerChecks } from "#db/schema/checkout.ts";

/** The stored outcome of the last check of a provider. */
export interface ProviderCheck {
  checkedAt: Date;
  isGreen: boolean;
  roundTripAt: Date | null;
  /** By the clock of the database. */
  isFresh: boolean;
}

/** For so long a green check lets operators unlock merchants. */
export const FRESH_FOR_HOURS = 24;

const isFresh = sql<boolean>`${providerChecks.checkedAt} > now() - ${FRESH_FOR_HOURS}::int * interval '1 h'`;

export async function findProviderCheck(provider: string): Promise<ProviderCheck | undefined> {
  const { checkedAt, isGreen, roundTripAt } = providerChecks;
  const [row] = await db()
    .select({ checkedAt, isGreen, roundTripAt, isFresh })
    .from(providerChecks)
    .where(eq(providerChecks.provider, provider));
  return row;
}

export async function storeCheck(provider: string, isGreen: boolean): Promise<void> {
  const now = { checkedAt: sql`now()`, isGreen };
  await db()
    .insert(providerChecks)
    .values({ provider, ...now })
    .onConflictDoUpdate({ target: providerChecks.provider, set: now });
}

/** The checks before it do not count any more, because it was one of their problems. */
export async function storeRoundTrip(provider: string): Promise<void> {
  const done = { roundTripAt: sql`now()` };
  await db()
    .insert(providerChecks)
    .values({ provider, checkedAt: sql`now()`, isGreen: false, ...done })
    .onConflictDoUpdate({ target: providerChecks.provider, set: done });
}
