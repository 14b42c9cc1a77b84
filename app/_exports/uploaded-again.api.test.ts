import { expect, test } from "vitest";
import { aBulkBuyer, rowsOf, termsOf, untilHalted } from "#services/bulk/bulk.fixture.ts";
import { type BulkRow, confirmBulkOrder, uploadBulkOrder } from "#services/bulk/index.ts";
import { aMember } from "#services/members/member.fixture.ts";
import { aMeter, aPhone, aSmartCard, productNamed } from "#services/vtu/vtu.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { download, exportPath } from "./export-client.fixture.ts";

withDatabase();
const app = withApp();

/** Returns what a row asks for. */
const orderedBy = ({ recipient, productId, network, variant, amount }: BulkRow) => ({ recipient, productId, network, variant, amount });

const byRecipient = (rows: BulkRow[]) =>
  rows.map(orderedBy).toSorted((one, other) => String(one.recipient).localeCompare(String(other.recipient)));

async function aFileOf(service: "airtime" | "data" | "cable" | "electricity"): Promise<string> {
  if (service === "airtime") return `Phone,Network,Amount\n08031234567,,"1,500"\n${aPhone()},glo,100.50`;
  const { id } = await productNamed("sandbox", service, service === "cable" ? "dstv-padi" : "");
  if (service === "data") return `Phone,Plan ID\n${aPhone()},${id}\n${aPhone()},${id}`;
  if (service === "cable") return `Smart card,Plan\n${aSmartCard()},${id}\n${aSmartCard()},${id}`;
  return `Meter,Disco,Meter type,Amount\n${aMeter()},IKEDC,prepaid,5000\n${aMeter()},AEDC,postpaid,1200.50`;
}

test.each(["airtime", "data", "cable", "electricity"] as const)(
  "a downloaded file of %s rows or purchases, uploaded unchanged, orders the same again",
  async (service) => {
    const { shop, ctx } = await aBulkBuyer();
    const viewer = await aMember(shop.merchant.businessId, "viewer");
    const fileOf = async (list: string, query: Record<string, string>) =>
      (await download(app, viewer, exportPath(list, { merchant: shop.merchant.id, ...query }))).text;
    const draft = await uploadBulkOrder(ctx, await aFileOf(service));
    expect(draft.counts).toMatchObject({ total: 2, ready: 2 });
    const asked = byRecipient(await rowsOf(ctx, draft.id));
    const rowsAgain = async (text: string) => {
      const order = await uploadBulkOrder(ctx, text);
      expect(order).toMatchObject({ service, counts: { total: 2, invalid: 0 } });
      return byRecipient(await rowsOf(ctx, order.id));
    };
    expect(await rowsAgain(await fileOf("bulk-order-rows", { order: draft.id }))).toEqual(asked);

    await confirmBulkOrder(ctx, draft.id, termsOf(draft));
    await untilHalted(ctx, draft.id);
    expect(await rowsAgain(await fileOf("bulk-order-rows", { order: draft.id }))).toEqual(asked);
    expect(await rowsAgain(await fileOf("purchases", { service }))).toEqual(asked);
  },
);

test("an amount that a comma has split is refused, also after its row was downloaded and uploaded again", async () => {
  const { shop, ctx } = await aBulkBuyer();
  const viewer = await aMember(shop.merchant.businessId, "viewer");
  const draft = await uploadBulkOrder(ctx, "phone,network,amount\n08031234567,mtn,50,000");
  expect(draft.counts).toMatchObject({ total: 1, invalid: 1 });
  const file = await download(app, viewer, exportPath("bulk-order-rows", { merchant: shop.merchant.id, order: draft.id }));
  const again = await uploadBulkOrder(ctx, file.text);
  expect(again.counts).toMatchObject({ total: 1, invalid: 1, ready: 0 });
  expect((await rowsOf(ctx, again.id))[0]?.message).toContain("Amount");
});
