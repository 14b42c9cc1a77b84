import { describe, expect, test } from "vitest";
import { money, naira } from "#lib/money.ts";
import { newPurchaseId } from "#lib/references.ts";
import { until } from "#testing/until.ts";
import type { Aggregator, CatalogueItem, Order, PurchaseOutcome, Service } from "./aggregator.ts";

/** What a conformance suite needs beside the adapter: faults, changes of the list, and the aggregator's notices. */
export interface AggregatorUnderTest {
  aggregator: Aggregator;
  /** Recipients, and quantities of exam pins, that lead to an outcome. */
  recipients: Record<"delivered" | "failed" | "later" | "never" | "reversed", string>;
  quantities: Record<"delivered" | "partly" | "failed", number>;
  /** Makes the aggregator lose its answer to the next purchase for a recipient, which it delivers or not. */
  loseAnswer: (recipient: string, happens: "delivered" | "not delivered") => Promise<void>;
  /** Makes the next answer about a recipient unreadable, or gives it an unknown status. */
  confuse: (call: "buy" | "order", recipient: string, how: "nonsense" | "unknown_word") => Promise<void>;
  /** Changes every text and number in the aggregator's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** Changes the price of an item, or withdraws the item. */
  changeList: (code: string, change: { naira?: number; withdrawn?: boolean }) => Promise<void>;
  /** Returns the notices that the aggregator has sent, unchanged. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
  isSigned: boolean;
}

const MIN_PRODUCTS: Record<Service, number> = { airtime: 4, data: 40, cable: 15, electricity: 12, exam: 4 };
/** The amount for items without a price. */
const CHOSEN_AMOUNT = naira(1_000);
/** The electricity tariff of the test aggregators. */
const NAIRA_PER_KWH = 209.5;

/** Declares the tests that every adapter of an aggregator must pass. */
export function describeAggregator(name: string, underTest: () => AggregatorUnderTest): void {
  const aggregator = () => underTest().aggregator;

  async function list(): Promise<CatalogueItem[]> {
    const products = await aggregator().listProducts();
    if (products.status !== "found") throw new Error(products.status);
    return products.found;
  }

  async function firstOf(service: Service): Promise<CatalogueItem> {
    const item = (await list()).find((each) => each.service === service);
    if (!item) throw new Error(`no ${service}`);
    return item;
  }

  async function orderOf(service: Service, changes: Partial<Order> = {}): Promise<Order> {
    const item = await firstOf(service);
    const quantity = changes.quantity ?? 1;
    const price = item.price ?? CHOSEN_AMOUNT;
    return {
      reference: newPurchaseId(1),
      service,
      createdAt: new Date(),
      productCode: item.code,
      recipient: service === "exam" ? null : underTest().recipients.delivered,
      variant: service === "electricity" ? "Prepaid" : item.variant,
      amount: money(price.minor * BigInt(quantity), "NGN"),
      quantity,
      customerPhone: null,
      ...changes,
    };
  }

  const finalOf = (order: Order): Promise<PurchaseOutcome> =>
    until(async () => {
      const reading = await aggregator().readPurchase(order);
      return (reading.status === "delivered" || reading.status === "failed") && reading;
    });

  describe(`the aggregator ${name}`, () => {
    test("lists items of every service, each with a code of its own, and with a price unless the buyer chooses the amount", async () => {
      const items = await list();
      for (const [service, minimum] of Object.entries(MIN_PRODUCTS)) {
        const ofService = items.filter((each) => each.service === service);
        expect(ofService.length).toBeGreaterThanOrEqual(minimum);
        expect(new Set(ofService.map(({ code }) => code)).size).toBe(ofService.length);
        for (const { price, brand } of ofService) {
          expect(price !== null && price.minor > 0n).toBe(service !== "airtime" && service !== "electricity");
          expect(brand).toBe(brand.toLowerCase());
        }
      }
      for (const { size, validity } of items.filter(({ service }) => service === "data")) {
        expect(size).toMatch(/^\d+(\.\d+)?[MG]B$/);
        expect(validity).toMatch(/^\d+ days?$/);
      }
    });

    test.each(["airtime", "data", "cable", "electricity", "exam"] as const)(
      "delivers %s, and returns the same outcome when the purchase is read",
      async (service) => {
        const order = await orderOf(service);
        const outcome = await aggregator().buy(order);
        if (outcome.status !== "delivered") throw new Error(outcome.status);
        const { tokens, units, pins } = outcome.delivery;
        expect(tokens.length).toBe(service === "electricity" ? 1 : 0);
        expect(pins.length).toBe(service === "exam" ? 1 : 0);
        for (const token of tokens) expect(token).toMatch(/^\d{20}$/);
        expect(units).toEqual(service === "electricity" ? expect.stringMatching(/^\d+(\.\d+)? kWh$/) : null);
        expect(await aggregator().readPurchase(order)).toEqual(outcome);
      },
    );

    test("returns all tokens of a large purchase in the same order each time, whatever fields its discos use", async () => {
      const amount = 60_000;
      const kwh = Math.floor((amount / NAIRA_PER_KWH) * 10) / 10;
      for (let n = 0; n < 5; n++) {
        const order = await orderOf("electricity", { amount: naira(amount) });
        const outcome = await aggregator().buy(order);
        if (outcome.status !== "delivered") throw new Error(outcome.status);
        const { tokens, units } = outcome.delivery;
        expect(new Set(tokens).size).toBe(2);
        for (const token of tokens) expect(token).toMatch(/^\d{20}$/);
        expect(units).toBe(`${kwh} kWh`);
        expect(await aggregator().readPurchase(order)).toEqual(outcome);
      }
    });

    test("returns no token for a postpaid meter", async () => {
      const outcome = await aggregator().buy(await orderOf("electricity", { variant: "Postpaid" }));
      expect(outcome).toMatchObject({ status: "delivered", delivery: { tokens: [], pins: [] } });
    });

    test("delivers all exam pins of an order, a part of them, or none", async () => {
      const { delivered, partly, failed } = underTest().quantities;
      const all = await aggregator().buy(await orderOf("exam", { quantity: delivered }));
      const part = await aggregator().buy(await orderOf("exam", { quantity: partly }));
      const none = await aggregator().buy(await orderOf("exam", { quantity: failed }));
      if (all.status !== "delivered" || part.status !== "delivered") throw new Error(`${all.status}, ${part.status}`);
      const pins = [...all.delivery.pins, ...part.delivery.pins];
      expect([all.delivery.pins.length, part.delivery.pins.length]).toEqual([delivered, partly - 1]);
      expect(new Set(pins.map(({ pin }) => pin)).size).toBe(pins.length);
      expect(new Set(pins.map(({ serial }) => serial)).size).toBe(pins.length);
      expect(none.status).toBe("failed");
    });

    test("fails at once, or is pending first and then delivered or failed", async () => {
      const { failed, later, never } = underTest().recipients;
      expect(await aggregator().buy(await orderOf("airtime", { recipient: failed }))).toEqual({
        status: "failed",
        reason: expect.any(String),
      });
      const [yes, no] = [await orderOf("data", { recipient: later }), await orderOf("data", { recipient: never })];
      expect([(await aggregator().buy(yes)).status, (await aggregator().buy(no)).status]).toEqual(["pending", "pending"]);
      expect((await finalOf(yes)).status).toBe("delivered");
      expect((await finalOf(no)).status).toBe("failed");
    });

    test("returns failed for a purchase that it took back", async () => {
      const order = await orderOf("airtime", { recipient: underTest().recipients.reversed });
      expect((await aggregator().buy(order)).status).toBe("delivered");
      await until(async () => (await aggregator().readPurchase(order)).status === "failed");
    });

    test("returns unknown for a purchase whose answer was lost, and its outcome when the purchase is read", async () => {
      const { delivered: recipient } = underTest().recipients;
      for (const happens of ["delivered", "not delivered"] as const) {
        const order = await orderOf("airtime", { recipient });
        await underTest().loseAnswer(recipient, happens);
        expect(await aggregator().buy(order)).toEqual({ status: "unknown" });
        expect((await aggregator().readPurchase(order)).status).toBe(happens === "delivered" ? "delivered" : "not_found");
      }
    });

    test.each(["nonsense", "unknown_word"] as const)("returns unknown for an answer with %s, to a purchase and to a read", async (how) => {
      const { delivered: recipient } = underTest().recipients;
      const order = await orderOf("data", { recipient });
      await underTest().confuse("buy", recipient, how);
      expect((await aggregator().buy(order)).status).toBe("unknown");
      await underTest().confuse("order", recipient, how);
      expect((await aggregator().readPurchase(order)).status).toBe("unknown");
      expect((await aggregator().readPurchase(order)).status).toBe("delivered");
    });

    describe("returns unknown for an answer that is about", () => {
      const insteadOf = (asked: string, other: string) =>
        underTest().changeNextAnswer((value) => (typeof value === "string" ? value.replace(asked, other) : value));
      const suffixOf = ({ reference }: Order) => reference.slice(4);

      test("another purchase, which has another buyer's token", async () => {
        const [order, other] = [await orderOf("electricity"), await orderOf("electricity")];
        insteadOf(suffixOf(order), suffixOf(other));
        expect(await aggregator().buy(order)).toEqual({ status: "unknown" });
        insteadOf(suffixOf(order), suffixOf(other));
        expect(await aggregator().readPurchase(order)).toEqual({ status: "unknown" });
        expect((await aggregator().readPurchase(order)).status).toBe("delivered");
      });

      test("another recipient, or another amount", async () => {
        const asked = 4_321;
        const order = await orderOf("electricity", { amount: naira(asked) });
        const { recipient } = order;
        if (recipient === null) throw new Error("no recipient");
        insteadOf(recipient, "08039998888");
        expect(await aggregator().buy(order)).toEqual({ status: "unknown" });
        underTest().changeNextAnswer((value) => {
          if (value === asked) return asked / 100;
          return typeof value === "string" && [`${asked}00`, `${asked}.00`].includes(value) ? value.replace(String(asked), "1234") : value;
        });
        expect(await aggregator().readPurchase(order)).toEqual({ status: "unknown" });
        expect((await aggregator().readPurchase(order)).status).toBe("delivered");
      });

      test("another customer's name", async () => {
        const { delivered: recipient } = underTest().recipients;
        const question = {
          service: "electricity",
          productCode: (await firstOf("electricity")).code,
          variant: "Prepaid",
          recipient,
        } as const;
        insteadOf(recipient, "08039998888");
        expect(await aggregator().verifyCustomer(question)).toEqual({ status: "unknown" });
        expect((await aggregator().verifyCustomer(question)).status).toBe("found");
      });
    });

    test("returns not_found only for the aggregator's own error, and unknown for the error of a gateway", async () => {
      const order = await orderOf("airtime");
      underTest().changeNextAnswer((value) => (typeof value === "string" ? "no Route matched" : value));
      expect(await aggregator().readPurchase(order)).toEqual({ status: "unknown" });
      expect(await aggregator().readPurchase(order)).toEqual({ status: "not_found" });
    });

    test("returns text that can be stored, whatever characters the aggregator sends", async () => {
      const { delivered: recipient } = underTest().recipients;
      const question = { service: "electricity", productCode: (await firstOf("electricity")).code, variant: "Prepaid", recipient } as const;
      const found = await aggregator().verifyCustomer(question);
      if (found.status !== "found") throw new Error(found.status);
      underTest().changeNextAnswer((value) => (value === found.found.name ? "Ng\u0000o\udc00zi" : value));
      expect(await aggregator().verifyCustomer(question)).toMatchObject({ found: { name: "Ng\ufffdo\ufffdzi" } });
    });

    test("delivers a purchase once, even if the order is sent again", async () => {
      const order = await orderOf("electricity");
      const first = await aggregator().buy(order);
      const second = await aggregator().buy(order);
      expect(["delivered", "unknown"]).toContain(second.status);
      expect(await aggregator().readPurchase(order)).toEqual(first);
    });

    test("refuses an order with a wrong price, and an order for a withdrawn item", async () => {
      const order = await orderOf("cable");
      const code = order.productCode.split("/").at(-1) ?? "";
      const newPrice = 4_321;
      expect((await aggregator().buy({ ...order, amount: money(order.amount.minor - 100n, "NGN") })).status).toBe("failed");
      await underTest().changeList(code, { naira: newPrice });
      expect((await list()).find((each) => each.code === order.productCode)?.price).toEqual(naira(newPrice));
      await underTest().changeList(code, { withdrawn: true });
      expect((await list()).some((each) => each.code === order.productCode)).toBe(false);
      expect((await aggregator().buy({ ...order, reference: newPurchaseId(1), amount: naira(newPrice) })).status).toBe("failed");
    });

    test("returns the customer of a meter and of a smart card, or not_found", async () => {
      const { delivered, failed } = underTest().recipients;
      const [disco, plan] = [await firstOf("electricity"), await firstOf("cable")];
      const meter = { service: "electricity", productCode: disco.code, variant: "Prepaid" } as const;
      const card = { service: "cable", productCode: plan.code, variant: null } as const;
      expect(await aggregator().verifyCustomer({ ...meter, recipient: delivered })).toEqual({
        status: "found",
        found: { name: expect.any(String), address: expect.any(String), currentPlan: null },
      });
      expect(await aggregator().verifyCustomer({ ...card, recipient: delivered })).toMatchObject({
        status: "found",
        found: { name: expect.any(String), currentPlan: expect.any(String) },
      });
      expect(await aggregator().verifyCustomer({ ...meter, recipient: failed })).toEqual({ status: "not_found" });
      expect(await aggregator().verifyCustomer({ ...card, recipient: failed })).toEqual({ status: "not_found" });
    });

    test("returns not_found for a purchase that it never got", async () => {
      expect(await aggregator().readPurchase(await orderOf("airtime"))).toEqual({ status: "not_found" });
    });

    test("sends notices that name their purchase, and a changed notice of an aggregator that signs is refused", async () => {
      const order = await orderOf("airtime", { recipient: underTest().recipients.later });
      await aggregator().buy(order);
      const notice = await until(async () => {
        const sent = await underTest().notices();
        return sent.find(({ headers, body }) => aggregator().readNotice(headers, body)?.reference === order.reference);
      });
      const other = newPurchaseId(1);
      const changed = notice.body.replace(order.reference.slice(4), other.slice(4));
      expect(aggregator().readNotice(notice.headers, changed)).toEqual(underTest().isSigned ? undefined : { reference: other });
      for (const rubbish of ["", "{", "[]", '"x"', "{}", '{"order":{}}', '{"type":"transaction-update","data":{"requestId":"\\u0000"}}']) {
        expect(aggregator().readNotice(new Headers(), rubbish)).toBeUndefined();
      }
    });
  });
}
