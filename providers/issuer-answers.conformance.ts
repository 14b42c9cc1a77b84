import { describe, expect, test } from "vitest";
import { dollars } from "#lib/money.ts";
import { CARD_CHANGES, IssuerSteps, type IssuerUnderTest, newReference } from "./issuer.fixture.ts";

/** Declares the tests of lost, wrong and foreign answers of an issuer. Every adapter must pass them. */
export function describeIssuerAnswers(name: string, underTest: () => IssuerUnderTest): void {
  const issuer = () => underTest().issuer;
  const steps = new IssuerSteps(underTest);

  describe(`the adapter of the issuer ${name}`, () => {
    test.each(CARD_CHANGES)("returns unknown for a %s whose answer was lost, and its outcome when the operation is read", async (type) => {
      for (const happens of ["done", "not done"] as const) {
        const cardReference = await steps.cardWith(10);
        const reference = newReference();
        await underTest().loseAnswer(type, cardReference, happens);
        expect(await issuer()[type]({ reference, cardReference, amount: dollars(5) })).toEqual({ status: "unknown" });
        if (happens === "not done") {
          expect(await issuer().readOperation({ type, reference, cardReference, amount: null })).toEqual({ status: "not_found" });
          expect(await steps.stateOf(cardReference)).toEqual({ state: "ACTIVE", balance: dollars(10) });
        } else {
          const final = await steps.finalOf({ status: "unknown" }, type, reference, cardReference);
          expect(final).toMatchObject({
            status: "completed",
            taken: type === "unload" ? dollars(5) : type === "terminate" ? dollars(10) : null,
          });
        }
      }
    });

    test("returns unknown for an issue whose answer was lost, and the card when the operation is read", async () => {
      const reference = newReference();
      const cardholderReference = await steps.cardholder();
      await underTest().loseAnswer("issue", null, "done");
      expect(await issuer().issueCard({ reference, cardholderReference, brand: "VISA" })).toEqual({ status: "unknown" });
      const final = await steps.finalOf({ status: "unknown" }, "issue", reference, null);
      if (final.status !== "completed" || !final.issued) throw new Error(final.status);
      expect((await steps.stateOf(final.issued.cardReference)).state).toBe("ACTIVE");
    });

    describe("returns unknown for an answer that is about", () => {
      const insteadOf = (asked: string, other: string) => underTest().changeNextAnswer((value) => (value === asked ? other : value));

      test.each(CARD_CHANGES)("another reference or another card than those of a %s", async (type) => {
        const cardReference = await steps.cardWith(10);
        const other = await steps.cardWith(10);
        const reference = newReference();
        insteadOf(reference, newReference());
        expect(await issuer()[type]({ reference, cardReference, amount: dollars(5) })).toEqual({ status: "unknown" });
        const question = { type, reference, cardReference, amount: type === "fund" ? dollars(5) : null };
        await steps.finalOf({ status: "unknown" }, type, reference, cardReference);
        for (const [asked, answered] of [
          [reference, newReference()],
          [cardReference, other],
        ] as const) {
          insteadOf(asked, answered);
          expect(await issuer().readOperation(question)).toEqual({ status: "unknown" });
        }
        expect((await issuer().readOperation(question)).status).toMatch(/completed|failed/);
      });

      test("another amount than that of a funding, or another type of operation", async () => {
        const cardReference = await steps.cardWith(10);
        const reference = newReference();
        const amount = dollars(5.43);
        await steps.finalOf(await issuer().fund({ reference, cardReference, amount }), "fund", reference, cardReference);
        const question = { type: "fund" as const, reference, cardReference, amount };
        const cents = String(amount.minor);
        underTest().changeNextAnswer((value) => {
          if (String(value) !== cents) return value;
          return typeof value === "string" ? `${cents}00` : Number(cents) * 100;
        });
        expect(await issuer().readOperation(question)).toEqual({ status: "unknown" });
        expect(await issuer().readOperation({ ...question, type: "freeze", amount: null })).toEqual({ status: "unknown" });
        expect((await issuer().readOperation(question)).status).toBe("completed");
      });

      test("another card's state, spend or number", async () => {
        const card = await steps.cardWith(10);
        const other = await steps.cardWith(20);
        insteadOf(card, other);
        expect(await issuer().readCard(card)).toEqual({ status: "unknown" });
        insteadOf(card, other);
        expect(await issuer().listTransactions(card, null)).toEqual({ status: "unknown" });
        insteadOf(card, other);
        expect(await issuer().revealDetails(card)).toEqual({ status: "unknown" });
        expect((await issuer().readCard(card)).status).toBe("found");
      });

      test("another person's identity", async () => {
        const reference = newReference();
        const request = { reference, firstName: "Ngozi", lastName: "Eze", email: underTest().emails.approved, phone: null };
        const made = await issuer().createCardholder(request);
        if (made.status !== "completed") throw new Error(made.status);
        const { providerReference } = made.cardholder;
        insteadOf(providerReference, `${providerReference}2`);
        expect(await issuer().readCardholder({ reference, providerReference })).toEqual({ status: "unknown" });
        insteadOf(reference, newReference());
        expect(await issuer().readCardholder({ reference, providerReference: null })).toEqual({ status: "unknown" });
        expect((await issuer().readCardholder({ reference, providerReference })).status).toBe("found");
      });
    });

    test("returns not_found only for the issuer's own error, and unknown for the error of a gateway", async () => {
      const question = { type: "fund" as const, reference: newReference(), cardReference: "crd_nobody", amount: null };
      const gateway = () => underTest().changeNextAnswer((value) => (typeof value === "string" ? "no Route matched" : value));
      const plain = await issuer().readCard("crd_nobody");
      gateway();
      expect(plain).toEqual({ status: "not_found" });
      expect(await issuer().readCard("crd_nobody")).toEqual({ status: "unknown" });
      gateway();
      // An issuer that answers an unknown reference with an empty list has no text that a gateway could replace.
      expect(["unknown", "not_found"]).toContain((await issuer().readOperation(question)).status);
    });
  });
}
