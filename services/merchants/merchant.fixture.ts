import type { Area, Merchant, MerchantContext } from "../context.ts";
import type { KeyPair } from "./api-keys.ts";
import { bindProvider } from "./bind-provider.ts";
import { createBusiness } from "./create-business.ts";

export interface TestMerchant {
  ctx: MerchantContext;
  merchant: Merchant;
  liveMerchantId: string;
  key: KeyPair;
}

let made = 0;

/** A business of its own, in test mode, with every area, the sandbox bank, and one of the sandbox's issuers and aggregators. */
export async function aMerchant({
  name = "Ada's Shop",
  areas,
  issuer = "sandbox",
  aggregator = "sandbox",
}: {
  name?: string;
  areas?: Area[];
  issuer?: "sandbox" | "sandbox-async";
  aggregator?: "sandbox" | "sandbox-vtpass";
} = {}): Promise<TestMerchant> {
  const email = `owner-${process.pid}-${made++}@shop.example`;
  const business = await createBusiness({
    name,
    owner: { email, name: "Ada Obi", password: "correct horse battery" },
    ...(areas && { areas }),
  });
  await bindProvider(business.testMerchantId, "issuer", issuer);
  await bindProvider(business.testMerchantId, "aggregator", aggregator);
  const merchant: Merchant = {
    id: business.testMerchantId,
    businessId: business.businessId,
    businessName: name,
    mode: "test",
    status: "active",
    requestsPerSecond: 100,
    requestBurst: 200,
    areas: areas ?? ["checkout", "cards", "vtu"],
    bank: "sandbox",
    issuer,
    aggregator,
  };
  const ctx: MerchantContext = { merchant, actor: { type: "api_key", id: business.testKey.id }, requestId: "req_test" };
  return { ctx, merchant, liveMerchantId: business.liveMerchantId, key: business.testKey };
}
