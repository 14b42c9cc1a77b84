import { and, eq, isNotNull, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { eventCounters } from "#db/schema/events.ts";
import { businesses, members, merchantAreas, merchantProviders, merchants, users } from "#db/schema/tenants.ts";
import { newId } from "#lib/ids.ts";
import { hashPassword } from "#lib/passwords.ts";
import { insertApiKey, type KeyPair } from "../api-keys/index.ts";
import { noteInAudit } from "../audit/index.ts";
import type { Area, Context } from "../context.ts";
import { openLedger } from "../ledger/index.ts";
import { verb } from "../verb.ts";
import { ALL_AREAS } from "./area-request.ts";

export class EmailTaken extends Error {
  override name = "EmailTaken";
}

/** The owner: a new person, or an existing user with a verified email. */
type NewOwner = { email: string; name: string; password: string } | { userId: string };

interface NewBusiness {
  name: string;
  owner: NewOwner;
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
 * Creates a business with its two merchants, its owner, and one test key pair with all permissions. The email of a new owner counts as verified.
 * Throws `EmailTaken` for a new owner whose email has an account, and an Error for an unknown owner or one without a verified email.
 */
export const createBusiness = verb(
  { actor: ["operator", "system"] },
  async (ctx: Context, { name, owner, areas = ALL_AREAS }: NewBusiness): Promise<CreatedBusiness> => {
    const passwordHash = "password" in owner ? await hashPassword(owner.password, "known") : "";
    return transaction(async (tx) => {
      const { id: ownerId, email } = "userId" in owner ? await verifiedUser(tx, owner.userId) : await insertOwner(tx, owner, passwordHash);
      const business = await insertBusiness(tx, ctx, { name, ownerId, supportEmail: email, areas });
      const testKey = await insertApiKey(tx, { ...ctx, merchant: { id: business.testMerchantId, mode: "test" } }, { name: "First key" });
      return { ...business, testKey };
    });
  },
);

async function insertOwner(tx: Tx, { email: given, name }: { email: string; name: string }, passwordHash: string) {
  const email = given.toLowerCase();
  const [user] = await tx
    .insert(users)
    .values({ id: newId("user"), email, name, passwordHash, emailVerifiedAt: sql`now()` })
    .onConflictDoNothing()
    .returning({ id: users.id, email: users.email });
  if (!user) throw new EmailTaken(`${given} belongs to somebody already. Use another email.`);
  return user;
}

async function verifiedUser(tx: Tx, userId: string) {
  const [user] = await tx
    .select({ id: users.id, email: users.email })
    .from(users)
    .where(and(eq(users.id, userId), isNotNull(users.emailVerifiedAt)));
  if (!user) throw new Error(`no user ${userId} with a verified email`);
  return user;
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
