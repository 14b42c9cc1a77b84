import { sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { eventCounters } from "#db/schema/events.ts";
import { businesses, members, merchantAreas, merchantProviders, merchants, users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/passwords.ts";
import { insertApiKey, type KeyPair } from "../api-keys/index.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Area, Context } from "../context.ts";
import { openLedger } from "../ledger/index.ts";
import { ALL_AREAS } from "./area-request.ts";

export class EmailTaken extends Error {
  override name = "EmailTaken";
}

interface NewBusiness {
  name: string;
  owner: { email: string; name: string; password: string };
  areas?: readonly Area[];
}

interface InsertedBusiness {
  businessId: string;
  testMerchantId: string;
  liveMerchantId: string;
}

interface CreatedBusiness extends InsertedBusiness {
  testKey: KeyPair;
}

/**
 * Creates a business with its two merchants, its owner, whose email counts as verified, and one test key pair with all permissions. Throws
 * `EmailTaken`.
 */
export async function createBusiness(ctx: Context, { name, owner, areas = ALL_AREAS }: NewBusiness): Promise<CreatedBusiness> {
  const passwordHash = await hashPassword(owner.password, "known");
  return transaction(async (tx) => {
    const email = owner.email.toLowerCase();
    const [user] = await tx
      .insert(users)
      .values({ id: newId("user"), email, name: owner.name, passwordHash, emailVerifiedAt: sql`now()` })
      .onConflictDoNothing()
      .returning({ id: users.id });
    if (!user) throw new EmailTaken(`${owner.email} belongs to somebody already. Use another email.`);
    const business = await insertBusiness(tx, ctx, { name, ownerId: user.id, supportEmail: email, areas });
    const testKey = await insertApiKey(tx, { ...ctx, merchant: { id: business.testMerchantId, mode: "test" } }, { name: "First key" });
    return { ...business, testKey };
  });
}

/**
 * Creates a business of a user, in the caller's transaction. The test merchant has the sandbox's providers and the given areas; the live one
 * has no area and no provider yet. Locks the head of the audit.
 */
export async function insertBusiness(
  tx: Tx,
  ctx: Context,
  { name, ownerId, supportEmail, areas = ALL_AREAS }: { name: string; ownerId: string; supportEmail: string; areas?: readonly Area[] },
): Promise<InsertedBusiness> {
  const businessId = newId("business");
  await tx.insert(businesses).values({ id: businessId, name, supportEmail });
  await tx.insert(members).values({ businessId, userId: ownerId, role: "owner" });
  const testMerchantId = await createMerchant(tx, businessId, "test");
  const liveMerchantId = await createMerchant(tx, businessId, "live");
  const sandboxProviders = (["bank", "issuer", "aggregator"] as const).map((kind) => ({
    merchantId: testMerchantId,
    mode: "test" as const,
    kind,
    provider: "sandbox",
  }));
  await tx.insert(merchantProviders).values(sandboxProviders);
  if (areas.length > 0) await tx.insert(merchantAreas).values(areas.map((area) => ({ merchantId: testMerchantId, area })));
  const after = { name, owner: ownerId, areas: [...areas] };
  await noteInAudit(tx, ctx, { businessId, action: "business.created", subject: businessId, after });
  return { businessId, testMerchantId, liveMerchantId };
}

async function createMerchant(tx: Tx, businessId: string, mode: "test" | "live"): Promise<string> {
  const merchantId = newId("merchant");
  await tx.insert(merchants).values({ id: merchantId, businessId, mode });
  await tx.insert(eventCounters).values({ merchantId });
  await openLedger(tx, merchantId);
  return merchantId;
}
