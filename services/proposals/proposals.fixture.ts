import { sql } from "#db/client.ts";
import type { OperatorContext } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { aClaimedPurchase } from "../vtu/vtu.fixture.ts";
import { propose } from "./index.ts";

/** Stores a purchase of ₦500 that is undecided. Returns its id. */
export const aPurchase = async (shop: TestMerchant, changes: Parameters<typeof aClaimedPurchase>[1] = {}): Promise<string> =>
  (await aClaimedPurchase(shop, changes)).id;

/** Proposes that an undecided purchase failed. */
export async function aSettlement(shop: TestMerchant, by: OperatorContext) {
  const purchase = await aPurchase(shop);
  const payload = { purchase, outcome: "failed", evidence: "Ticket 41" } as const;
  const proposal = await propose(by, { kind: "purchase.settle", payload, reason: "The aggregator says so." });
  return { ...proposal, purchase };
}

export async function statusOf(purchase: string): Promise<string | undefined> {
  const [row] = await sql()<{ status: string }[]>`select status from purchases where id = ${purchase}`;
  return row?.status;
}

/** Lets a proposal be older than it is. */
export const letProposalAge = (id: string, hours: number) =>
  sql().begin(async (tx) => {
    await tx`alter table proposals disable trigger proposals_unchanged`;
    await tx`
      update proposals set created_at = created_at - ${hours} * interval '1 h', expires_at = expires_at - ${hours} * interval '1 h' where id = ${id}`;
    await tx`alter table proposals enable trigger proposals_unchanged`;
  });
