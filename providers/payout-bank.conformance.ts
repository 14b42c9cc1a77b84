import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { naira, toMajorNumber } from "#lib/money.ts";
import { times, until } from "#testing/until.ts";
import type { PayoutBank, PayoutOrder, PayoutOutcome } from "./payout-bank.ts";

/** What a conformance suite needs beside the adapter. */
export interface PayoutBankUnderTest {
  bank: PayoutBank;
  /** The same adapter with a bank that cannot be reached. */
  unreachable: PayoutBank;
  /** A bank of the list, and accounts at it by what becomes of a payout. No account has the number `none`. */
  bankCode: string;
  accounts: Record<"paid" | "failed" | "paidLater" | "failedLater" | "reversed" | "none", string>;
  /** Makes the bank execute the next request and lose its answer. */
  loseNextAnswer: () => void;
  /** Changes every text and number in the bank's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
}

const newReference = () => `po_${randomBytes(16).toString("hex")}`;
const AMOUNT = naira(5_432.1);

/** Declares the tests that every adapter of a bank's payouts must pass. */
export function describePayoutBank(name: string, underTest: () => PayoutBankUnderTest): void {
  const bank = () => underTest().bank;

  const orderTo = (account: keyof PayoutBankUnderTest["accounts"], changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
    ...{ reference: newReference(), amount: AMOUNT, bankCode: underTest().bankCode, accountNumber: underTest().accounts[account] },
    ...{ accountName: "TEST ACCOUNT", narration: "Payout" },
    ...changes,
  });

  const finalOf = (order: PayoutOrder): Promise<PayoutOutcome> =>
    until(async () => {
      const reading = await bank().readPayout(order);
      return (reading.status === "paid" || reading.status === "failed") && reading;
    });

  describe(`the payouts of ${name}`, () => {
    test("lists banks, each with a code of its own and a name", async () => {
      const listed = await bank().listBanks();
      if (listed.status !== "found") throw new Error(listed.status);
      expect(listed.found.length).toBeGreaterThan(0);
      expect(new Set(listed.found.map(({ code }) => code)).size).toBe(listed.found.length);
      expect(listed.found.map(({ code }) => code)).toContain(underTest().bankCode);
      for (const { name: bankName } of listed.found) expect(bankName).not.toBe("");
    });

    test("names the owner of an account, and nobody for a number without an account", async () => {
      const { bankCode, accounts } = underTest();
      const named = await bank().nameAccount({ bankCode, accountNumber: accounts.paid });
      expect(named).toEqual({ status: "found", found: { accountName: expect.stringMatching(/\S/) } });
      // Not every bank distinguishes a wrong number from an outage.
      expect(["not_found", "unknown"]).toContain((await bank().nameAccount({ bankCode, accountNumber: accounts.none })).status);
    });

    test.each([
      ["paid", "paid"],
      ["failed", "failed"],
      ["paidLater", "paid"],
      ["failedLater", "failed"],
    ] as const)("a payout to the account %s ends as %s, and is read as that from then on", async (account, end) => {
      const order = orderTo(account);
      const outcome = await bank().pay(order);
      expect([end, "pending"]).toContain(outcome.status);
      const final = await finalOf(order);
      expect(final.status).toBe(end);
      expect(await bank().readPayout(order)).toEqual(final);
      if (final.status === "failed") expect(final.reason).toMatch(/\S/);
    });

    test("a payout that was paid and comes back is read as reversed", async () => {
      const order = orderTo("reversed");
      await bank().pay(order);
      await until(async () => (await bank().readPayout(order)).status === "paid");
      await until(async () => (await bank().readPayout(order)).status === "reversed");
    });

    test("five requests at once with one reference make one payout", async () => {
      const order = orderTo("paid");
      const outcomes = await Promise.all(times(5, () => bank().pay(order)));
      // A second order is told that there is one, or gets its answer. It is never told that nothing was paid.
      for (const { status } of outcomes) expect(["paid", "pending", "unknown"]).toContain(status);
      expect((await finalOf(order)).status).toBe("paid");
    });

    test("a payout that was never ordered is not found", async () => {
      expect(await bank().readPayout(orderTo("paid"))).toEqual({ status: "not_found" });
    });

    test("returns unknown for a payout whose answer was lost, and reads it afterwards", async () => {
      const order = orderTo("paid");
      underTest().loseNextAnswer();
      expect(await bank().pay(order)).toEqual({ status: "unknown" });
      expect((await finalOf(order)).status).toBe("paid");
    });

    test("returns failed for a payout if the bank cannot be reached, and unknown for every reading", async () => {
      const order = orderTo("paid");
      const { unreachable } = underTest();
      expect((await unreachable.pay(order)).status).toBe("failed");
      expect(await unreachable.readPayout(order)).toEqual({ status: "unknown" });
      expect(await unreachable.nameAccount(order)).toEqual({ status: "unknown" });
      // Not every bank has a list to ask for.
      expect([{ status: "unknown" }, await bank().listBanks()]).toContainEqual(await unreachable.listBanks());
    });

    test("returns unknown for an answer about another reference, account or amount, or without readable fields", async () => {
      const amounts = [String(AMOUNT.minor), String(toMajorNumber(AMOUNT))];
      const order = orderTo("paid");
      await bank().pay(order);
      await finalOf(order);
      const distortions: [string, (value: unknown) => unknown][] = [
        ["reference", (value) => (value === order.reference ? newReference() : value)],
        ["account", (value) => (value === order.accountNumber ? "0123456789" : value)],
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
        const reading = await bank().readPayout(order);
        // Not every bank repeats each of them.
        expect([what, isChanged ? reading.status : "unknown"]).toEqual([what, "unknown"]);
      }
      expect((await bank().readPayout(order)).status).toBe("paid");
    });

    test("takes a state that the adapter does not know for no decision", async () => {
      const order = orderTo("paid");
      await bank().pay(order);
      const { status } = await finalOf(order);
      underTest().changeNextAnswer((value) =>
        typeof value === "string" && /^(paid|completed|success)$/i.test(value) ? "pondering" : value,
      );
      const { status: heard } = await bank().readPayout(order);
      expect([status, ["paid", "failed", "reversed"].includes(heard)]).toEqual(["paid", false]);
    });
  });
}
