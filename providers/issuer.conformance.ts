import { describe, expect, test } from "vitest";
import { luhnDigit } from "#lib/luhn.ts";
import { dollars } from "#lib/money.ts";
import { until } from "#testing/until.ts";
import { CARD_CHANGES, IssuerSteps, type IssuerUnderTest, less, newReference } from "./issuer.fixture.ts";

const passesLuhn = (number: string) => luhnDigit(number.slice(0, -1)) === Number(number.at(-1));

/** Declares the tests of an issuer's cardholders, cards, operations and notices. Every adapter must pass them. */
export function describeIssuer(name: string, underTest: () => IssuerUnderTest): void {
  const issuer = () => underTest().issuer;
  const steps = new IssuerSteps(underTest);

  describe(`the issuer ${name}`, () => {
    test("declares its brands, and the time within which an operation can be read", () => {
      expect(issuer().capabilities.brands.length).toBeGreaterThan(0);
      expect(issuer().capabilities.visibleWithinMs).toBeGreaterThan(0);
    });

    test("finds a cardholder by its own name and by our reference, and decides the identity", async () => {
      const reference = newReference();
      const request = { reference, firstName: "Ngozi", lastName: "Eze", email: underTest().emails.rejected, phone: "+2348031234567" };
      const made = await issuer().createCardholder(request);
      if (made.status !== "completed") throw new Error(made.status);
      const { providerReference } = made.cardholder;
      const decided = await until(async () => {
        const reading = await issuer().readCardholder({ reference, providerReference });
        return reading.status === "found" && reading.found.kyc.status !== "PENDING" && reading.found;
      });
      expect(decided).toEqual({ providerReference, kyc: { status: "REJECTED", reason: expect.any(String) } });
      expect(await issuer().readCardholder({ reference, providerReference: null })).toEqual({ status: "found", found: decided });
      expect(await issuer().readCardholder({ reference: newReference(), providerReference: null })).toEqual({ status: "not_found" });
    });

    test("issues valid cards of each brand, and reveals their numbers", async () => {
      for (const brand of issuer().capabilities.brands) {
        const card = await steps.issue(brand);
        const details = await issuer().revealDetails(card.cardReference);
        if (details.status !== "found") throw new Error(details.status);
        const { number, cvv, expiryMonth, expiryYear } = details.found;
        expect(number).toMatch(brand === "VISA" ? /^4\d{15}$/ : /^5[1-5]\d{14}$/);
        expect(passesLuhn(number)).toBe(true);
        expect(cvv).toMatch(/^\d{3}$/);
        expect(card).toMatchObject({ last4: number.slice(-4), expiryMonth, expiryYear });
        expect(await steps.stateOf(card.cardReference)).toEqual({ state: "ACTIVE", balance: dollars(0) });
      }
    });

    test("gives each card a number of its own", async () => {
      const cards = [await steps.issue(), await steps.issue(), await steps.issue()];
      const details = await Promise.all(cards.map(({ cardReference }) => issuer().revealDetails(cardReference)));
      expect(new Set(details.map((each) => each.status === "found" && each.found.number)).size).toBe(3);
    });

    test("funds and unloads a card by exactly the amounts that it reports", async () => {
      const card = await steps.cardWith(20.01);
      expect((await steps.stateOf(card)).balance).toEqual(dollars(20.01));
      expect(await steps.change("unload", card, 5.5)).toMatchObject({ status: "completed", taken: dollars(5.5) });
      const left = less(dollars(20.01), dollars(5.5));
      expect((await steps.stateOf(card)).balance).toEqual(left);
      // One cent more than the card has.
      expect((await steps.change("unload", card, 14.52)).status).toBe("failed");
      expect((await steps.stateOf(card)).balance).toEqual(left);
    });

    test("freezes, unfreezes and terminates a card, and reports the balance that was left", async () => {
      const card = await steps.cardWith(10);
      expect((await steps.change("freeze", card)).status).toBe("completed");
      expect((await steps.stateOf(card)).state).toBe("FROZEN");
      expect((await steps.change("fund", card, 1)).status).toBe("failed");
      expect((await steps.change("unfreeze", card)).status).toBe("completed");
      const authorization = await underTest().spend(card, "AUTHORIZATION", 4);
      expect(await steps.change("terminate", card)).toMatchObject({ status: "completed", taken: dollars(10 - 4) });
      expect(await steps.stateOf(card)).toEqual({ state: "TERMINATED", balance: dollars(0) });
      for (const type of CARD_CHANGES) expect((await steps.change(type, card, 1)).status).toBe("failed");
      await underTest().spend(card, "CLEARING", 3, authorization);
      await underTest().spend(card, "REFUND", 2);
      expect((await steps.stateOf(card)).balance).toEqual(dollars(0));
    });

    test("answers not_found for an operation and a card that it never got", async () => {
      expect(await issuer().readOperation({ type: "fund", reference: newReference(), cardReference: "crd_nobody", amount: null })).toEqual({
        status: "not_found",
      });
      expect(await issuer().readCard("crd_nobody")).toEqual({ status: "not_found" });
      expect(await issuer().revealDetails("crd_nobody")).toEqual({ status: "not_found" });
    });

    test("sends notices that name their card, and a changed notice of an issuer that signs is refused", async () => {
      const card = await steps.cardWith(5);
      await underTest().spend(card, "AUTHORIZATION", 1);
      const notice = await until(async () => {
        const sent = await underTest().notices();
        return sent.find(({ headers, body }) => issuer().readNotice(headers, body)?.reference === card);
      });
      const changed = notice.body.replace(card, "crd_somebodyelse");
      if (underTest().isSigned) expect(issuer().readNotice(notice.headers, changed)).toBeUndefined();
      else expect(issuer().readNotice(notice.headers, changed)).toEqual({ reference: "crd_somebodyelse" });
      for (const rubbish of ["", "{", "[]", '"x"', "{}", '{"card":{}}']) {
        const read = () => issuer().readNotice(new Headers(), rubbish);
        expect(read()).toBeUndefined();
      }
    });
  });
}
