import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import type { KeyPair } from "../api-keys/index.ts";
import type { Area, Context, Merchant, MerchantContext, OperatorContext, TenantContext } from "../context.ts";
import { ALL_PERMISSIONS } from "../permissions.ts";
import { switchArea } from "./areas.ts";
import { bindProvider } from "./bind-provider.ts";
import { createBusiness } from "./create-business.ts";

export interface TestMerchant {
  ctx: MerchantContext;
  merchant: Merchant;
  liveMerchantId: string;
  liveCtx: TenantContext;
  key: KeyPair;
}

export const anOperator: OperatorContext = { actor: { type: "cli", id: "operator" }, requestId: null, address: null };

/** Returns the number of a merchant, which its references carry. */
export async function numberOf(merchantId: string): Promise<number> {
  const [merchant] = await sql()<{ number: bigint }[]>`select number from merchants where id = ${merchantId}`;
  if (!merchant) throw new Error(`no merchant ${merchantId}`);
  return Number(merchant.number);
}

let made = 0;

/** Creates a person with a verified email. A hash would take most of the time that a merchant takes, and nobody signs in as this owner. */
async function anOwner(): Promise<{ userId: string }> {
  const userId = newId("user");
  const email = `owner-${process.pid}-${made++}@shop.example`;
  await sql()`
    insert into users (id, email, name, password_hash, email_verified_at) values (${userId}, ${email}, 'Ada Obi', 'no password', now())`;
  return { userId };
}

/** Creates a business and returns its test merchant, with the sandbox's providers and by default every area. */
export async function aMerchant({
  name = "Ada's Shop",
  areas,
  bank = "sandbox",
  issuer = "sandbox",
  aggregator = "sandbox",
}: {
  name?: string;
  areas?: Area[];
  bank?: "sandbox" | "sandbox-plain";
  issuer?: "sandbox" | "sandbox-async";
  aggregator?: "sandbox" | "sandbox-vtpass";
} = {}): Promise<TestMerchant> {
  const business = await createBusiness(anOperator, { name, owner: await anOwner(), ...(areas && { areas }) });
  await bindProvider(anOperator, business.testMerchantId, "bank", bank);
  await bindProvider(anOperator, business.testMerchantId, "issuer", issuer);
  await bindProvider(anOperator, business.testMerchantId, "aggregator", aggregator);
  const merchant: Merchant = {
    id: business.testMerchantId,
    number: await numberOf(business.testMerchantId),
    businessId: business.businessId,
    businessName: name,
    mode: "test",
    status: "active",
    isOtherModeSuspended: false,
    requestsPerSecond: 100,
    requestBurst: 200,
    areas: areas ?? ["checkout", "cards", "vtu"],
    bank,
    issuer,
    aggregator,
  };
  const ctx: MerchantContext = {
    merchant,
    actor: { type: "api_key", id: business.testKey.id },
    permissions: ALL_PERMISSIONS,
    requestId: "req_test",
    address: "203.0.113.1",
  };
  const { liveMerchantId, testKey: key } = business;
  return { ctx, merchant, liveMerchantId, liveCtx: { ...ctx, merchant: { id: liveMerchantId, mode: "live" } }, key };
}

/** Creates a business and returns its live merchant, with a bank and every area. Its key is one of test mode. */
export async function aLiveMerchant({ bank }: { bank: string }): Promise<TestMerchant> {
  const shop = await aMerchant();
  const { liveMerchantId } = shop;
  await bindProvider(anOperator, liveMerchantId, "bank", bank);
  const merchant = { ...shop.merchant, id: liveMerchantId, number: await numberOf(liveMerchantId), mode: "live" as const, bank };
  return { ...shop, merchant, ctx: { ...shop.ctx, merchant } };
}

/** Switches areas of a live merchant on, as if its bank had been checked. */
export async function enableLiveAreas(liveMerchantId: string, ...areas: Area[]): Promise<void> {
  await sql()`update merchants set live_unlocked_at = now() where id = ${liveMerchantId}`;
  for (const area of areas) await switchArea(anOperator, liveMerchantId, area, true);
}

/** Returns a context with all rights of its merchant, as the command line has them. */
export const byOperator = <Ctx extends Context>(ctx: Ctx): Ctx => ({ ...ctx, actor: anOperator.actor });

/** Returns a merchant whose contexts have all its rights. */
export const withAllRights = (shop: TestMerchant): TestMerchant => ({
  ...shop,
  ctx: byOperator(shop.ctx),
  liveCtx: byOperator(shop.liveCtx),
});

/** As `aMerchant`, with contexts that have all its rights. */
export const aMerchantWithAllRights = async (...options: Parameters<typeof aMerchant>): Promise<TestMerchant> =>
  withAllRights(await aMerchant(...options));
