import { describe, expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { money, naira } from "#lib/money.ts";
import { until } from "#testing/until.ts";
import type { Aggregator, CatalogueItem, Order, PurchaseOutcome, Service } from "./aggregator.ts";

/** What a suite needs of the other party beside its adapter: somebody who breaks things, changes the list and listens. */
export interface AggregatorUnderTest {
  aggregator: Aggregator;
  /** A recipient, or a number of pins, that goes this way. */
  recipients: Record<"delivered" | "failed" | "later" | "never" | "reversed", string>;
  quantities: Record<"delivered" | "partly" | "failed", number>;
  /** The next purchase for that recipient is delivered, or is not, and its answer is lost. */
  loseAnswer: (recipient: string, happens: "delivered" | "not delivered") => Promise<void>;
  /** The next call of that kind about that recipient is answered in words that nobody knows. */
  confuse: (call: "buy" | "order", recipient: string, how: "nonsense" | "unknown_word") => Promise<void>;
  /** Changes every text and number in the aggregator's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** From now on an item costs something else, or is gone. */
  changeList: (code: string, change: { naira?: number; withdrawn?: boolean }) => Promise<void>;
  /** The notices that it has sent, as they came. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
  isSigned: boolean;
}

const MIN_PRODUCTS: Record<Service, number> = { airtime: 4, data: 40, cable: 15, electricity: 12, exam: 4 };
const PRICE_OF_CHOICE = naira(1_000);

/** What every aggregator must do, whatever it calls things. */
export function describeAggregator(name: string, underTest: () => AggregatorUnderTest): void {
  const it = () => underTest().aggregator;

  async function list(): Promise<CatalogueItem[]> {
    const products = await it().listProducts();
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
    const price = item.price ?? PRICE_OF_CHOICE;
    return {
      reference: newId("purchase"),
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
      const reading = await it().readPurchase(order);
      return (reading.status === "delivered" || reading.status === "failed") && reading;
    });

  describe(`the aggregator ${name}`, () => {
    test("lists what it sells: every kind, each under a code of its own, with a price where the buyer does not choose", async () => {
      const items = await list();
      for (const [service, least] of Object.entries(MIN_PRODUCTS)) {
        const mine = items.filter((each) => each.service === service);
        expect(mine.length).toBeGreaterThanOrEqual(least);
        expect(new Set(mine.map(({ code }) => code)).size).toBe(mine.length);
        for (const { price, brand } of mine) {
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
      "delivers %s, and says so again when asked",
      async (service) => {
        const order = await orderOf(service);
        const outcome = await it().buy(order);
        if (outcome.status !== "delivered") throw new Error(outcome.status);
        const { tokens, units, pins } = outcome.delivery;
        expect(tokens.length).toBe(service === "electricity" ? 1 : 0);
        expect(pins.length).toBe(service === "exam" ? 1 : 0);
        for (const token of tokens) expect(token).toMatch(/^\d{20}$/);
        expect(units).toEqual(service === "electricity" ? expect.stringMatching(/^\d+(\.\d+)? kWh$/) : null);
        expect(await it().readPurchase(order)).toEqual(outcome);
      },
    );

    test("tells all tokens of a large purchase in one order, in whatever words its discos have for them", async () => {
      for (let n = 0; n < 5; n++) {
        const order = await orderOf("electricity", { amount: naira(60_000) });
        const outcome = await it().buy(order);
        if (outcome.status !== "delivered") throw new Error(outcome.status);
        const { tokens, units } = outcome.delivery;
        expect(new Set(tokens).size).toBe(2);
        for (const token of tokens) expect(token).toMatch(/^\d{20}$/);
        expect(units).toBe("286.3 kWh");
        expect(await it().readPurchase(order)).toEqual(outcome);
      }
    });

    test("has no token for a postpaid meter", async () => {
      const outcome = await it().buy(await orderOf("electricity", { variant: "Postpaid" }));
      expect(outcome).toMatchObject({ status: "delivered", delivery: { tokens: [], pins: [] } });
    });

    test("delivers pins one by one: all, a part, or none", async () => {
      const { delivered, partly, failed } = underTest().quantities;
      const all = await it().buy(await orderOf("exam", { quantity: delivered }));
      const part = await it().buy(await orderOf("exam", { quantity: partly }));
      const none = await it().buy(await orderOf("exam", { quantity: failed }));
      if (all.status !== "delivered" || part.status !== "delivered") throw new Error(`${all.status}, ${part.status}`);
      const pins = [...all.delivery.pins, ...part.delivery.pins];
      expect([all.delivery.pins.length, part.delivery.pins.length]).toEqual([delivered, partly - 1]);
      expect(new Set(pins.map(({ pin }) => pin)).size).toBe(pins.length);
      expect(new Set(pins.map(({ serial }) => serial)).size).toBe(pins.length);
      expect(none.status).toBe("failed");
    });

    test("fails, and goes through pending to both ends", async () => {
      const { failed, later, never } = underTest().recipients;
      expect(await it().buy(await orderOf("airtime", { recipient: failed }))).toEqual({ status: "failed", reason: expect.any(String) });
      const [yes, no] = [await orderOf("data", { recipient: later }), await orderOf("data", { recipient: never })];
      expect([(await it().buy(yes)).status, (await it().buy(no)).status]).toEqual(["pending", "pending"]);
      expect((await finalOf(yes)).status).toBe("delivered");
      expect((await finalOf(no)).status).toBe("failed");
    });

    test("says failed of what it took back", async () => {
      const order = await orderOf("airtime", { recipient: underTest().recipients.reversed });
      expect((await it().buy(order)).status).toBe("delivered");
      await until(async () => (await it().readPurchase(order)).status === "failed");
    });

    test("says unknown to a purchase whose answer was lost, and what became of it when asked", async () => {
      const { delivered: recipient } = underTest().recipients;
      for (const happens of ["delivered", "not delivered"] as const) {
        const order = await orderOf("airtime", { recipient });
        await underTest().loseAnswer(recipient, happens);
        expect(await it().buy(order)).toEqual({ status: "unknown" });
        expect((await it().readPurchase(order)).status).toBe(happens === "delivered" ? "delivered" : "not_found");
      }
    });

    test.each(["nonsense", "unknown_word"] as const)("says unknown to %s, of a purchase and of a reading", async (how) => {
      const { delivered: recipient } = underTest().recipients;
      const order = await orderOf("data", { recipient });
      await underTest().confuse("buy", recipient, how);
      expect((await it().buy(order)).status).toBe("unknown");
      await underTest().confuse("order", recipient, how);
      expect((await it().readPurchase(order)).status).toBe("unknown");
      expect((await it().readPurchase(order)).status).toBe("delivered");
    });

    describe("does not believe an answer that is about something else", () => {
      const insteadOf = (asked: string, other: string) =>
        underTest().changeNextAnswer((value) => (typeof value === "string" ? value.replace(asked, other) : value));
      const suffixOf = ({ reference }: Order) => reference.slice(4);

      test("another purchase, and so another buyer's token", async () => {
        const [order, other] = [await orderOf("electricity"), await orderOf("electricity")];
        insteadOf(suffixOf(order), suffixOf(other));
        expect(await it().buy(order)).toEqual({ status: "unknown" });
        insteadOf(suffixOf(order), suffixOf(other));
        expect(await it().readPurchase(order)).toEqual({ status: "unknown" });
        expect((await it().readPurchase(order)).status).toBe("delivered");
      });

      test("another recipient, or another amount", async () => {
        const order = await orderOf("electricity", { amount: naira(4_321) });
        const { recipient } = order;
        if (recipient === null) throw new Error("no recipient");
        insteadOf(recipient, "08039998888");
        expect(await it().buy(order)).toEqual({ status: "unknown" });
        underTest().changeNextAnswer((value) => {
          if (value === 4_321) return 43.21;
          return typeof value === "string" && /^4321(00|\.00)$/.test(value) ? value.replace("4321", "1234") : value;
        });
        expect(await it().readPurchase(order)).toEqual({ status: "unknown" });
        expect((await it().readPurchase(order)).status).toBe("delivered");
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
        expect(await it().verifyCustomer(question)).toEqual({ status: "unknown" });
        expect((await it().verifyCustomer(question)).status).toBe("found");
      });
    });

    test("is not found only in its own words, not in those of a gateway", async () => {
      const order = await orderOf("airtime");
      underTest().changeNextAnswer((value) => (typeof value === "string" ? "no Route matched" : value));
      expect(await it().readPurchase(order)).toEqual({ status: "unknown" });
      expect(await it().readPurchase(order)).toEqual({ status: "not_found" });
    });

    test("answers in text that can be stored, whatever its aggregator writes", async () => {
      const { delivered: recipient } = underTest().recipients;
      const question = { service: "electricity", productCode: (await firstOf("electricity")).code, variant: "Prepaid", recipient } as const;
      const found = await it().verifyCustomer(question);
      if (found.status !== "found") throw new Error(found.status);
      underTest().changeNextAnswer((value) => (value === found.found.name ? "Ng\u0000o\udc00zi" : value));
      expect(await it().verifyCustomer(question)).toMatchObject({ found: { name: "Ng\ufffdo\ufffdzi" } });
    });

    test("never delivers a purchase twice, whoever asks again", async () => {
      const order = await orderOf("electricity");
      const first = await it().buy(order);
      const second = await it().buy(order);
      expect(["delivered", "unknown"]).toContain(second.status);
      expect(await it().readPurchase(order)).toEqual(first);
    });

    test("refuses another price than its own, and what it does not sell any more", async () => {
      const order = await orderOf("cable");
      const code = order.productCode.split("/").at(-1) ?? "";
      expect((await it().buy({ ...order, amount: money(order.amount.minor - 100n, "NGN") })).status).toBe("failed");
      await underTest().changeList(code, { naira: 4_321 });
      expect((await list()).find((each) => each.code === order.productCode)?.price).toEqual(naira(4_321));
      await underTest().changeList(code, { withdrawn: true });
      expect((await list()).some((each) => each.code === order.productCode)).toBe(false);
      expect((await it().buy({ ...order, reference: newId("purchase"), amount: naira(4_321) })).status).toBe("failed");
    });

    test("names the customer of a meter and of a smart card, and says when there is none", async () => {
      const { delivered, failed } = underTest().recipients;
      const [disco, plan] = [await firstOf("electricity"), await firstOf("cable")];
      const meter = { service: "electricity", productCode: disco.code, variant: "Prepaid" } as const;
      const card = { service: "cable", productCode: plan.code, variant: null } as const;
      expect(await it().verifyCustomer({ ...meter, recipient: delivered })).toEqual({
        status: "found",
        found: { name: expect.any(String), address: expect.any(String), currentPlan: null },
      });
      expect(await it().verifyCustomer({ ...card, recipient: delivered })).toMatchObject({
        status: "found",
        found: { name: expect.any(String), currentPlan: expect.any(String) },
      });
      expect(await it().verifyCustomer({ ...meter, recipient: failed })).toEqual({ status: "not_found" });
      expect(await it().verifyCustomer({ ...card, recipient: failed })).toEqual({ status: "not_found" });
    });

    test("does not know what it was never told of", async () => {
      expect(await it().readPurchase(await orderOf("airtime"))).toEqual({ status: "not_found" });
    });

    test("sends notices that name what they are about; what was tampered with is nobody's word", async () => {
      const order = await orderOf("airtime", { recipient: underTest().recipients.later });
      await it().buy(order);
      const notice = await until(async () => {
        const sent = await underTest().notices();
        return sent.find(({ headers, body }) => it().readNotice(headers, body)?.reference === order.reference);
      });
      const other = newId("purchase");
      const tampered = notice.body.replace(order.reference.slice(4), other.slice(4));
      expect(it().readNotice(notice.headers, tampered)).toEqual(underTest().isSigned ? undefined : { reference: other });
      for (const rubbish of ["", "{", "[]", '"x"', "{}", '{"order":{}}', '{"type":"transaction-update","data":{"requestId":"\\u0000"}}']) {
        expect(it().readNotice(new Headers(), rubbish)).toBeUndefined();
      }
    });
  });
}
