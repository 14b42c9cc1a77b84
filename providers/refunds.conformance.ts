import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { money, naira, toMajorNumber } from "#lib/money.ts";
import { times, until } from "#testing/until.ts";
import type { Bank } from "./bank.ts";
import type { RefundOrder, RefundOutcome, Refunds } from "./refunds.ts";

export type RefundEnd = "paid" | "failed";

/** What a conformance suite needs beside the adapter. */
export interface RefundsUnderTest {
  bank: Bank;
  /** The same adapter with a bank that cannot be reached. */
  unreachable: Bank;
  /** Pays an account in full as a payer to whom refunds end like this. Returns the bank's id of the transfer, and our reference for the account. */
  pay: (amount: RefundOrder["amount"], end: RefundEnd) => Promise<{ sessionId: string; accountReference: string }>;
  /** Makes the bank execute the next order of a refund and lose its answer. */
  loseNextOrder: () => void;
  /** Changes every text and number in the bank's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
}

const newReference = () => `rfd_${randomBytes(16).toString("hex")}`;
const PAID = naira(5_432.1);
const PART = naira(1_111.11);
const REST = money(PAID.minor - PART.minor, "NGN");

/** Declares the tests that the refunds of every adapter must pass. */
export function describeRefunds(name: string, underTest: () => RefundsUnderTest): void {
  const refundsOf = ({ refunds }: Bank): Refunds => {
    if (!refunds) throw new Error(`${name} has no refunds`);
    return refunds;
  };
  const refunds = () => refundsOf(underTest().bank);

  async function anOrder({ end = "paid", amount = PART }: { end?: RefundEnd; amount?: RefundOrder["amount"] } = {}) {
    const { sessionId, accountReference } = await underTest().pay(PAID, end);
    const order: RefundOrder = { reference: newReference(), sessionId, amount, bankReference: null, otherBankReferences: [] };
    return { order, accountReference };
  }

  const finalOf = (order: RefundOrder): Promise<RefundOutcome> =>
    until(async () => {
      const reading = await refunds().readRefund(order);
      return (reading.status === "paid" || reading.status === "failed") && reading;
    });

  describe(`the refunds of ${name}`, () => {
    test.each(["paid", "failed"] as const)("a refund of a part ends as %s, and is read as that from then on", async (end) => {
      const { order } = await anOrder({ end });
      expect([end, "pending"]).toContain((await refunds().refund(order)).status);
      const final = await finalOf(order);
      expect(final.status).toBe(end);
      expect(await refunds().readRefund(order)).toEqual(final);
      if (final.status === "failed") expect(final.reason).toMatch(/\S/);
    });

    test("an order that is repeated makes one refund, and the rest can still be refunded, and no more", async () => {
      const { order } = await anOrder();
      for (const _ of [1, 2]) expect(["paid", "pending"]).toContain((await refunds().refund(order)).status);
      const rest = { ...order, reference: newReference(), amount: REST };
      expect(["paid", "pending"]).toContain((await refunds().refund(rest)).status);
      expect((await finalOf(rest)).status).toBe("paid");
      const beyond = { ...order, reference: newReference(), amount: naira(1) };
      expect(["failed", "unknown"]).toContain((await refunds().refund(beyond)).status);
      expect(["not_found", "failed"]).toContain((await refunds().readRefund(beyond)).status);
    });

    test("a payment that is refunded in parts or in full still reads as kept, because nobody recalled it", async () => {
      const { order, accountReference } = await anOrder();
      for (const amount of [PART, REST]) {
        const one = { ...order, reference: newReference(), amount };
        await refunds().refund(one);
        await finalOf(one);
        const reading = await underTest().bank.readAccount({ reference: accountReference, amount: PAID });
        expect(reading).toMatchObject({ status: "read", transfers: [{ returnedBecause: null, amount: PAID }] });
      }
    });

    test("a refund that was never ordered is not found", async () => {
      const { order } = await anOrder();
      expect(await refunds().readRefund(order)).toEqual({ status: "not_found" });
    });

    test("a refund whose answer was lost is unknown, and is read afterwards", async () => {
      const { order } = await anOrder();
      underTest().loseNextOrder();
      expect(await refunds().refund(order)).toEqual({ status: "unknown" });
      expect((await finalOf(order)).status).toBe("paid");
    });

    test("a bank that cannot be reached pays nothing, and every reading is unknown", async () => {
      const { order } = await anOrder();
      const unreachable = refundsOf(underTest().unreachable);
      // An adapter that reads before it orders does not know.
      expect(["failed", "unknown"]).toContain((await unreachable.refund(order)).status);
      expect(await unreachable.readRefund(order)).toEqual({ status: "unknown" });
      expect(await refunds().readRefund(order)).toEqual({ status: "not_found" });
    });

    test("an answer about another reference, transfer or amount, or without readable fields, decides nothing", async () => {
      const { order } = await anOrder();
      await refunds().refund(order);
      await finalOf(order);
      const amounts = [String(PART.minor), String(toMajorNumber(PART))];
      const distortions: [string, (value: unknown) => unknown][] = [
        ["reference", (value) => (value === order.reference ? newReference() : value)],
        ["transfer", (value) => (String(value) === order.sessionId ? (typeof value === "number" ? value + 1 : `${value}1`) : value)],
        ["amount", (value) => (amounts.includes(String(value)) ? (typeof value === "string" ? `${value}00` : Number(value) * 100) : value)],
        ["nothing", () => null],
      ];
      for (const [what, distort] of distortions) {
        let isChanged = false;
        underTest().changeNextAnswer((value) => {
          const changed = distort(value);
          isChanged ||= changed !== value;
          return changed;
        });
        const { status } = await refunds().readRefund(order);
        // Not every bank repeats each of them. A list without our reference has no such refund.
        expect([what, isChanged ? ["unknown", "not_found"].includes(status) : true]).toEqual([what, true]);
      }
      expect((await refunds().readRefund(order)).status).toBe("paid");
    });

    test("a state that the adapter does not know decides nothing", async () => {
      const { order } = await anOrder();
      await refunds().refund(order);
      await finalOf(order);
      underTest().changeNextAnswer((value) =>
        typeof value === "string" && /^(paid|processed|completed)$/i.test(value) ? "pondering" : value,
      );
      expect(["paid", "failed", "reversed"]).not.toContain((await refunds().readRefund(order)).status);
    });

    test("five requests at once with one reference are never told that nothing was paid", async () => {
      const { order } = await anOrder();
      await refunds().refund(order);
      const outcomes = await Promise.all(times(5, () => refunds().refund(order)));
      for (const { status } of outcomes) expect(["paid", "pending", "unknown"]).toContain(status);
    });
  });
}
