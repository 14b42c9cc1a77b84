import { describe, expect, test } from "vitest";
import { dollars } from "#lib/money.ts";
import { IssuerSteps, type IssuerUnderTest, less } from "./issuer.fixture.ts";

/** Declares the tests of an issuer's spend: balances, and the list of transactions. Every adapter must pass them. */
export function describeIssuerSpend(name: string, underTest: () => IssuerUnderTest): void {
  const issuer = () => underTest().issuer;
  const steps = new IssuerSteps(underTest);

  describe(`spend on a card of the issuer ${name}`, () => {
    test("a clearing that follows a clearing uses the same authorization, and takes no more than its amount", async () => {
      const card = await steps.cardWith(100);
      const authorization = await underTest().spend(card, "AUTHORIZATION", 30);
      const first = await underTest().spend(card, "CLEARING", 20, authorization);
      await underTest().spend(card, "CLEARING", 6, first);
      expect((await steps.stateOf(card)).balance).toEqual(dollars(100 - 30));
      await underTest().spend(card, "CLEARING", 9, first);
      const left = dollars(100 - 20 - 6 - 9);
      expect((await steps.stateOf(card)).balance).toEqual(left);
      expect(await steps.change("terminate", card)).toMatchObject({ taken: left });
    });

    test("spend beyond the balance makes it negative, and the termination reports the negative balance", async () => {
      const card = await steps.cardWith(1);
      await underTest().spend(card, "FEE", 3.25);
      const overdrawn = less(dollars(1), dollars(3.25));
      expect((await steps.stateOf(card)).balance).toEqual(overdrawn);
      expect(await steps.change("terminate", card)).toMatchObject({ taken: overdrawn });
    });

    test("is listed completely, newest first, over all pages, each transaction once, with the one that it follows", async () => {
      const FEES = 55;
      const card = await steps.cardWith(100);
      const made: string[] = [];
      const authorization = await underTest().spend(card, "AUTHORIZATION", 10);
      made.push(authorization, await underTest().spend(card, "CLEARING", 7, authorization));
      for (let i = 0; i < FEES; i++) made.push(await underTest().spend(card, "FEE", 0.01));
      made.push(await underTest().spend(card, "REVERSAL", 3, authorization), await underTest().spend(card, "AUTHORIZATION", 1_000));
      const listed = await steps.allTransactions(card);
      expect(listed.map(({ transactionReference }) => transactionReference)).toEqual(made.toReversed());
      expect(listed[0]).toMatchObject({ type: "DECLINE", amount: dollars(1_000), declineReason: "insufficient_funds" });
      expect(listed.at(-2)).toMatchObject({ type: "CLEARING", amount: dollars(7), relatedReference: authorization, declineReason: null });
      expect(listed[0]?.merchant).toEqual({ name: "Shop", categoryCode: "5411", city: "Lagos", country: "NG" });
      expect(Math.abs((listed[0]?.occurredAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      expect((await steps.stateOf(card)).balance).toEqual(less(dollars(100), dollars(7), dollars(FEES / 100)));
    });

    test("spend that is recorded late is listed first, or among the spend of its time, as the adapter declares", async () => {
      const PAGES_OF_FEES = 30;
      const card = await steps.cardWith(100);
      const made: string[] = [];
      for (let i = 0; i < PAGES_OF_FEES; i++) made.push(await underTest().spend(card, "FEE", 0.01));
      const late = await underTest().spend(card, "REFUND", 5);
      await underTest().moveBack(late, 24);
      const listed = (await steps.allTransactions(card)).map(({ transactionReference }) => transactionReference);
      const others = made.toReversed();
      expect(listed).toEqual(issuer().capabilities.spendOrder === "recorded" ? [late, ...others] : [...others, late]);
    });

    test("is listed in text that can be stored, whatever characters the issuer sends", async () => {
      const card = await steps.cardWith(10);
      await underTest().spend(card, "AUTHORIZATION", 1);
      underTest().changeNextAnswer((value) => (value === "Shop" ? "Sh\u0000o\ud800p\u001b[31m" : value));
      const listed = await issuer().listTransactions(card, null);
      expect(listed).toMatchObject({ status: "found", transactions: [{ merchant: { name: "Sh\ufffdo\ufffdp\ufffd[31m" } }] });
    });

    test("of an unknown type is listed as an unreadable row, and all other rows are read", async () => {
      const card = await steps.cardWith(10);
      await underTest().spend(card, "AUTHORIZATION", 1);
      await underTest().spend(card, "FEE", 2);
      const [fee] = await steps.allTransactions(card);
      underTest().changeNextAnswer((value) => (String(value).toUpperCase() === "FEE" ? "CASHBACK" : value));
      const listed = await issuer().listTransactions(card, null);
      expect(listed).toMatchObject({
        status: "found",
        transactions: [{ type: "AUTHORIZATION" }],
        unreadable: [{ reference: fee?.transactionReference, fields: [expect.any(String)] }],
      });
      expect(listed).not.toMatchObject({ transactions: [{}, {}] });
    });
  });
}
