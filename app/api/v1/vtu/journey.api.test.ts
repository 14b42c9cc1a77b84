import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { type ApiAnswer, apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { withVtuSweeps } from "#testing/vtu-sweeps.ts";
import { eventTypesOf } from "../../../../services/checkout/checkout.fixture.ts";
import type { TestMerchant } from "../../../../services/merchants/merchant.fixture.ts";
import {
  AGGREGATORS,
  type AggregatorName,
  aMeter,
  aPhone,
  aSmartCard,
  aVtuMerchant,
  productNamed,
  walletOf,
} from "../../../../services/vtu/vtu.fixture.ts";

withDatabase();
const app = withApp();
withVtuSweeps();

const VTU = "/api/v1/vtu";
const WALLET = 1_000_000;
const TOKEN = /^\d{20}$/;

describe.each(AGGREGATORS)("at %s", (aggregator: AggregatorName) => {
  let shop: TestMerchant;
  let api: ReturnType<typeof apiClient>;
  /** Naira that should be in the wallet. */
  let left = WALLET;

  beforeAll(async () => {
    shop = await aVtuMerchant({ aggregator, wallet: WALLET });
    api = apiClient(app, shop.key);
  });

  const statusOf = async (reference: string) => (await api.get(`${VTU}/transaction/status?reference=${reference}`)).body.data;
  const whenFinal = (reference: string, seconds = 60) =>
    until(async () => {
      const purchase = await statusOf(reference);
      return purchase.status !== "processing" && purchase;
    }, seconds * 1_000);
  const expectWallet = async () => expect(await walletOf(shop.merchant.id)).toEqual({ balance: BigInt(left * 100), held: 0n });

  /** The same five ways for each kind: success, failure, and processing to both ends. */
  const kinds: [string, number, (ending: string) => Promise<ApiAnswer>][] = [
    [
      "airtime",
      500,
      async (ending) => api.post(`${VTU}/airtime`, { network: "MTN", phone: aPhone(ending).replace("+234", "0"), amount: 500 }),
    ],
    [
      "data",
      1_000,
      async (ending) =>
        api.post(`${VTU}/data`, {
          phone: aPhone(ending),
          data_plan_id: (await productNamed(aggregator, "data", "glo-gifting-2.6gb-30-days")).id,
        }),
    ],
    [
      "cable",
      19_000,
      async (ending) =>
        api.post(`${VTU}/cable`, {
          cable_plan_id: (await productNamed(aggregator, "cable", "dstv-compact")).id,
          smart_card_number: aSmartCard(ending),
          customer_phone: "08031234567",
        }),
    ],
    [
      "electricity",
      5_000.5,
      async (ending) =>
        api.post(`${VTU}/electricity`, {
          disco_id: (await productNamed(aggregator, "electricity", "ikeja-electric")).id,
          meter_number: aMeter(ending),
          meter_type: "PREPAID",
          amount: 5_000.5,
          customer_name: "Ngozi Eze",
          customer_phone: "",
          customer_email: "ngozi@example.com",
        }),
    ],
  ];

  test.each(kinds)("%s is delivered, charged once and told of", async (service, price, buy) => {
    const { status, body } = await buy("6789");
    left -= price;
    expect({ status, ...body.data }).toMatchObject({ status: "success", success: true, service, amount: price, refunded: 0 });
    if (service === "electricity") {
      expect(body.data.token).toMatch(TOKEN);
      expect(body.data).toMatchObject({ tokens: [body.data.token], units: "23.8 kWh" });
    } else expect(body.data.token).toBeNull();
    expect(await statusOf(body.data.reference)).toEqual(body.data);
    await expectWallet();
  });

  test.each(kinds)("%s that fails gives its money back", async (_service, price, buy) => {
    const { status, body } = await buy("0000");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "failed", success: false, amount: price, refunded: price });
    expect(body.data.message).toMatch(/is back in the wallet/);
    await expectWallet();
  });

  test.each(kinds)("%s goes through processing to success, and to failure", async (_service, price, buy) => {
    const [later, never] = [await buy("1111"), await buy("2222")];
    expect([later.status, never.status]).toEqual([202, 202]);
    expect(later.body.data).toMatchObject({ status: "processing", success: true, refunded: 0, completed_at: null });
    left -= price;
    expect(await whenFinal(later.body.data.reference)).toMatchObject({ status: "success", refunded: 0 });
    expect(await whenFinal(never.body.data.reference)).toMatchObject({ status: "failed", success: false, refunded: price });
    await expectWallet();
  });

  test("exam pins come one by one: all, all but one with the rest refunded, none, and both later", async () => {
    const exam = await productNamed(aggregator, "exam", "neco-result");
    const buy = (quantity: number) => api.post(`${VTU}/exam`, { exam_type_id: exam.id, quantity });
    const price = 1_350;
    const all = (await buy(3)).body.data;
    expect(all).toMatchObject({ status: "success", amount: 3 * price, refunded: 0, token: null, recipient: null });
    expect(new Set(all.pins.map(({ pin }: { pin: string }) => pin)).size).toBe(3);
    const part = (await buy(17)).body.data;
    expect(part).toMatchObject({ status: "success", success: true, amount: 17 * price, refunded: price });
    expect(part.pins).toHaveLength(16);
    expect(part.message).toMatch(/a part was delivered, and ₦1,350.00 is back in the wallet/);
    const none = (await buy(13)).body.data;
    expect(none).toMatchObject({ status: "failed", refunded: 13 * price });
    expect(none.pins).toBeUndefined();
    const [later, never] = [(await buy(11)).body.data, (await buy(12)).body.data];
    expect([later.status, never.status]).toEqual(["processing", "processing"]);
    expect((await whenFinal(later.reference)).pins).toHaveLength(11);
    expect(await whenFinal(never.reference)).toMatchObject({ status: "failed", refunded: 12 * price });
    left -= (3 + 16 + 11) * price;
    await expectWallet();
    expect(await statusOf(part.reference)).toEqual(part);
  });

  test("a timeout that had delivered is charged once, one that had not is refunded once, each after the provider said so, within a minute", async () => {
    const send = (ending: string) => api.post(`${VTU}/airtime`, { network: "glo", phone: aPhone(ending), amount: 700 });
    const [delivered, lost] = await Promise.all([send("3333"), send("4444")]);
    expect([delivered.status, lost.status]).toEqual([202, 202]);
    expect((await walletOf(shop.merchant.id)).held).toBe(140_000n);
    const [yes, no] = await Promise.all([delivered, lost].map(({ body }) => whenFinal(body.data.reference)));
    expect(yes).toMatchObject({ status: "success", refunded: 0 });
    expect(no).toMatchObject({ status: "failed", refunded: 700 });
    const orders = await sql()<
      { reference: string }[]
    >`select reference from sandbox.vtu_orders where reference like ${`%${yes.reference.slice(4)}`}`;
    expect(orders).toHaveLength(1);
    left -= 700;
    await expectWallet();
  });

  test("what is reversed later comes back, once, though the provider tells it twice", async () => {
    const { body } = await api.post(`${VTU}/airtime`, { network: "airtel", phone: aPhone("5555"), amount: 900 });
    expect(body.data.status).toBe("success");
    const reversed = await until(async () => {
      const purchase = await statusOf(body.data.reference);
      return purchase.status === "reversed" && purchase;
    }, 20_000);
    expect(reversed).toMatchObject({ success: false, refunded: 900 });
    await until(async () => {
      const [row] = await sql()<{ waiting: bigint }[]>`select count(*) as waiting from sandbox.notices where acknowledged_at is null`;
      return row?.waiting === 0n;
    });
    await expectWallet();
    const exceptions = await sql()`select kind, amount from purchase_exceptions where purchase_id = ${body.data.reference}`;
    expect(exceptions).toEqual([{ kind: "reversal", amount: 90_000n }]);
  });

  test("every end was told of once, without a token or pin, and the books are right", async () => {
    const told = await eventTypesOf(shop);
    const count = (type: string) => told.filter((each) => each === type).length;
    const [row] = await sql()<{ success: bigint; failed: bigint; reversed: bigint }[]>`
      select count(*) filter (where status in ('success', 'reversed')) as success, count(*) filter (where status = 'failed') as failed,
        count(*) filter (where status = 'reversed') as reversed from purchases where merchant_id = ${shop.merchant.id}`;
    expect([count("vtu.success"), count("vtu.failed"), count("vtu.reversed")].map(BigInt)).toEqual([
      row?.success,
      row?.failed,
      row?.reversed,
    ]);
    const events = await sql()<{ data: Record<string, unknown> }[]>`select data from events where merchant_id = ${shop.merchant.id}`;
    for (const { data } of events) expect(Object.keys(data)).not.toEqual(expect.arrayContaining(["token"]));
    expect(events.filter(({ data }) => data.has_token)).toHaveLength(5);
    await expectInvariantsToHold();
  });
});
