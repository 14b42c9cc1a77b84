import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { eventTypesOf } from "#services/checkout/checkout.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import {
  AGGREGATORS,
  type AggregatorName,
  aMeter,
  aPhone,
  aSmartCard,
  aVtuMerchant,
  productNamed,
  walletOf,
} from "#services/vtu/vtu.fixture.ts";
import { type ApiAnswer, apiClient } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { until } from "#testing/until.ts";
import { withVtuSweeps } from "#testing/vtu-sweeps.ts";
import type { Api } from "../api.fixture.ts";
import { VTU } from "./vtu-api.fixture.ts";

withDatabase();
const app = withApp();
withVtuSweeps();

const WALLET_NAIRA = 1_000_000;
const TOKEN = /^\d{20}$/;

describe.each(AGGREGATORS)("at %s", (aggregator: AggregatorName) => {
  let shop: TestMerchant;
  let api: Api;
  /** Naira that the wallet must have. */
  let left = WALLET_NAIRA;

  beforeAll(async () => {
    shop = await aVtuMerchant({ aggregator, wallet: WALLET_NAIRA });
    api = apiClient(app, shop.key);
  });

  const statusOf = async (reference: string) => (await api.get(`${VTU}/transaction/status?reference=${reference}`)).body.data;
  /** Waits at most a minute. */
  const whenFinal = (reference: string) =>
    until(async () => {
      const purchase = await statusOf(reference);
      return purchase.status !== "processing" && purchase;
    }, MINUTE_MS);
  const expectWallet = async () => expect(await walletOf(shop.merchant.id)).toEqual({ balance: BigInt(left * 100), held: 0n });

  /** For each service: its name, its price in Naira, and an order whose outcome the sandbox takes from the ending of the number. */
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

  test.each(kinds)("%s that is delivered is charged once", async (service, price, buy) => {
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

  test.each(kinds)("%s that fails is refunded", async (_service, price, buy) => {
    const { status, body } = await buy("0000");
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ status: "failed", success: false, amount: price, refunded: price });
    expect(body.data.message).toMatch(/is back in the wallet/);
    await expectWallet();
  });

  test.each(kinds)("%s that is processing at first ends in success or in failure", async (_service, price, buy) => {
    const [later, never] = [await buy("1111"), await buy("2222")];
    expect([later.status, never.status]).toEqual([202, 202]);
    expect(later.body.data).toMatchObject({ status: "processing", success: true, refunded: 0, completed_at: null });
    left -= price;
    expect(await whenFinal(later.body.data.reference)).toMatchObject({ status: "success", refunded: 0 });
    expect(await whenFinal(never.body.data.reference)).toMatchObject({ status: "failed", success: false, refunded: price });
    await expectWallet();
  });

  test("exam pins are charged one by one: all of an order, all but one, none, and the same after processing", async () => {
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

  test("a purchase that timed out is charged once if the provider delivered it and refunded once if it did not, within a minute", async () => {
    const send = (ending: string) => api.post(`${VTU}/airtime`, { network: "glo", phone: aPhone(ending), amount: 700 });
    const [delivered, lost] = await Promise.all([send("3333"), send("4444")]);
    expect([delivered.status, lost.status]).toEqual([202, 202]);
    expect((await walletOf(shop.merchant.id)).held).toBe(2n * naira(700).minor);
    const [charged, refunded] = await Promise.all([delivered, lost].map(({ body }) => whenFinal(body.data.reference)));
    expect(charged).toMatchObject({ status: "success", refunded: 0 });
    expect(refunded).toMatchObject({ status: "failed", refunded: 700 });
    const orders = await sql()<
      { reference: string }[]
    >`select reference from sandbox.vtu_orders where reference like ${`%${charged.reference.slice(4)}`}`;
    expect(orders).toHaveLength(1);
    left -= 700;
    await expectWallet();
  });

  test("a purchase that the provider reverses later is refunded once, although its notice comes twice", async () => {
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
    expect(exceptions).toEqual([{ kind: "reversal", amount: naira(900).minor }]);
  });

  test("every outcome made one event, no event has a token, and the ledger keeps its invariants", async () => {
    const types = await eventTypesOf(shop);
    const count = (type: string) => types.filter((each) => each === type).length;
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
    // Electricity was delivered twice, and exam pins three times.
    expect(events.filter(({ data }) => data.has_token)).toHaveLength(2 + 3);
    await expectInvariantsToHold();
  });
});
