import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import { luhnDigit } from "#lib/luhn.ts";
import { dollars, type Money, money } from "#lib/money.ts";
import { until } from "#testing/until.ts";
import type { Issuer, OperationOutcome, OperationType, SpendTransaction } from "./issuer.ts";

/** What a suite needs of the other party beside its adapter: somebody who decides identities, spends, breaks things and listens. */
export interface IssuerUnderTest {
  issuer: Issuer;
  /** What it says of a cardholder's email, so that it decides so. */
  emails: { approved: string; rejected: string };
  spend: (card: string, type: SpendTransaction["type"], amount: number, follows?: string) => Promise<string>;
  /** The next operation of that kind is done, or is not, and its answer is lost. */
  loseAnswer: (type: OperationType, card: string | null, happens: "done" | "not done") => Promise<void>;
  /** Changes every text and number in the issuer's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** The notices that it has sent, as they came. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
  isSigned: boolean;
}

const newReference = () => randomBytes(13).toString("hex").toUpperCase();

const passesLuhn = (number: string) => luhnDigit(number.slice(0, -1)) === Number(number.at(-1));

/** What every issuer must do, whatever it calls things. */
export function describeIssuer(name: string, underTest: () => IssuerUnderTest): void {
  const it = () => underTest().issuer;

  /** The final word on a write: at once, or once it is decided. */
  async function finalOf(
    outcome: OperationOutcome,
    type: OperationType,
    reference: string,
    cardReference: string | null,
    amount: Money | null = null,
  ): Promise<OperationOutcome> {
    if (outcome.status === "completed" || outcome.status === "failed") return outcome;
    return until(async () => {
      const reading = await it().readOperation({ type, reference, cardReference, amount });
      return (reading.status === "completed" || reading.status === "failed") && reading;
    });
  }

  async function aCardholder(email = underTest().emails.approved): Promise<string> {
    const reference = newReference();
    const made = await it().createCardholder({ reference, firstName: "Ngozi", lastName: "Eze", email, phone: null });
    if (made.status !== "completed") throw new Error(`creating a cardholder was ${made.status}`);
    const { providerReference } = made.cardholder;
    await until(async () => {
      const reading = await it().readCardholder({ reference, providerReference });
      return reading.status === "found" && reading.found.kyc.status !== "PENDING";
    });
    return providerReference;
  }

  async function issued(brand: "VISA" | "MASTERCARD" = "VISA") {
    const reference = newReference();
    const outcome = await it().issueCard({ reference, cardholderReference: await aCardholder(), brand });
    const final = await finalOf(outcome, "issue", reference, null);
    if (final.status !== "completed" || !final.issued) throw new Error(`issuing was ${final.status}`);
    return final.issued;
  }

  async function change(type: Exclude<OperationType, "issue">, cardReference: string, amount = 0): Promise<OperationOutcome> {
    const reference = newReference();
    const wish = { reference, cardReference, amount: dollars(amount) };
    return finalOf(await it()[type](wish), type, reference, cardReference);
  }

  async function aCardWith(amount: number): Promise<string> {
    const { cardReference } = await issued();
    expect((await change("fund", cardReference, amount)).status).toBe("completed");
    return cardReference;
  }

  async function stateOf(card: string) {
    const reading = await it().readCard(card);
    if (reading.status !== "found") throw new Error(`reading the card was ${reading.status}`);
    return reading.found;
  }

  async function allTransactions(card: string): Promise<SpendTransaction[]> {
    const all: SpendTransaction[] = [];
    for (let page: string | null = null, more = true; more; ) {
      const listed = await it().listTransactions(card, page);
      if (listed.status !== "found") throw new Error("the spend could not be read");
      all.push(...listed.transactions);
      page = listed.nextPage;
      more = page !== null;
    }
    return all;
  }

  describe(`the issuer ${name}`, () => {
    test("says what it can", () => {
      expect(it().capabilities.brands.length).toBeGreaterThan(0);
      expect(it().capabilities.visibleWithinMs).toBeGreaterThan(0);
    });

    test("knows a cardholder by its own name and by ours, and decides", async () => {
      const reference = newReference();
      const request = { reference, firstName: "Ngozi", lastName: "Eze", email: underTest().emails.rejected, phone: "+2348031234567" };
      const made = await it().createCardholder(request);
      if (made.status !== "completed") throw new Error(made.status);
      const { providerReference } = made.cardholder;
      const decided = await until(async () => {
        const reading = await it().readCardholder({ reference, providerReference });
        return reading.status === "found" && reading.found.kyc.status !== "PENDING" && reading.found;
      });
      expect(decided).toEqual({ providerReference, kyc: { status: "REJECTED", reason: expect.any(String) } });
      expect(await it().readCardholder({ reference, providerReference: null })).toEqual({ status: "found", found: decided });
      expect(await it().readCardholder({ reference: newReference(), providerReference: null })).toEqual({ status: "not_found" });
    });

    test("issues valid cards of each brand, and reveals what it issued", async () => {
      for (const brand of it().capabilities.brands) {
        const card = await issued(brand);
        const details = await it().revealDetails(card.cardReference);
        if (details.status !== "found") throw new Error(details.status);
        const { number, cvv, expiryMonth, expiryYear } = details.found;
        expect(number).toMatch(brand === "VISA" ? /^4\d{15}$/ : /^5[1-5]\d{14}$/);
        expect(passesLuhn(number)).toBe(true);
        expect(cvv).toMatch(/^\d{3}$/);
        expect(card).toMatchObject({ last4: number.slice(-4), expiryMonth, expiryYear });
        expect(await stateOf(card.cardReference)).toEqual({ state: "ACTIVE", balance: dollars(0) });
      }
    });

    test("gives each card a number of its own", async () => {
      const cards = [await issued(), await issued(), await issued()];
      const details = await Promise.all(cards.map(({ cardReference }) => it().revealDetails(cardReference)));
      expect(new Set(details.map((each) => each.status === "found" && each.found.number)).size).toBe(3);
    });

    test("puts on a card and takes off it exactly what it says", async () => {
      const card = await aCardWith(20.01);
      expect((await stateOf(card)).balance).toEqual(dollars(20.01));
      expect(await change("unload", card, 5.5)).toMatchObject({ status: "completed", taken: dollars(5.5) });
      expect((await stateOf(card)).balance).toEqual(dollars(14.51));
      expect((await change("unload", card, 14.52)).status).toBe("failed");
      expect((await stateOf(card)).balance).toEqual(dollars(14.51));
    });

    test("freezes, unfreezes and ends a card, and says what was left on it", async () => {
      const card = await aCardWith(10);
      expect((await change("freeze", card)).status).toBe("completed");
      expect((await stateOf(card)).state).toBe("FROZEN");
      expect((await change("fund", card, 1)).status).toBe("failed");
      expect((await change("unfreeze", card)).status).toBe("completed");
      const authorization = await underTest().spend(card, "AUTHORIZATION", 4);
      expect(await change("terminate", card)).toMatchObject({ status: "completed", taken: dollars(6) });
      expect(await stateOf(card)).toEqual({ state: "TERMINATED", balance: dollars(0) });
      for (const type of ["fund", "unload", "freeze", "unfreeze", "terminate"] as const) {
        expect((await change(type, card, 1)).status).toBe("failed");
      }
      await underTest().spend(card, "CLEARING", 3, authorization);
      await underTest().spend(card, "REFUND", 2);
      expect((await stateOf(card)).balance).toEqual(dollars(0));
    });

    test("a clearing that follows a clearing takes what the same authorization still holds, and no more than it says", async () => {
      const card = await aCardWith(100);
      const authorization = await underTest().spend(card, "AUTHORIZATION", 30);
      const first = await underTest().spend(card, "CLEARING", 20, authorization);
      await underTest().spend(card, "CLEARING", 6, first);
      expect((await stateOf(card)).balance).toEqual(dollars(70));
      await underTest().spend(card, "CLEARING", 9, first);
      expect((await stateOf(card)).balance).toEqual(dollars(65));
      expect(await change("terminate", card)).toMatchObject({ taken: dollars(65) });
    });

    test("says of an overdrawn card by how much it is, also when it ends", async () => {
      const card = await aCardWith(1);
      await underTest().spend(card, "FEE", 3.25);
      expect((await stateOf(card)).balance).toEqual(money(-225n, "USD"));
      expect(await change("terminate", card)).toMatchObject({ taken: money(-225n, "USD") });
    });

    test("lists all that was spent, newest first, over all pages, each once, with what it follows", async () => {
      const card = await aCardWith(100);
      const made: string[] = [];
      const authorization = await underTest().spend(card, "AUTHORIZATION", 10);
      made.push(authorization, await underTest().spend(card, "CLEARING", 7, authorization));
      for (let i = 0; i < 55; i++) made.push(await underTest().spend(card, "FEE", 0.01));
      made.push(await underTest().spend(card, "REVERSAL", 3, authorization), await underTest().spend(card, "AUTHORIZATION", 1_000));
      const listed = await allTransactions(card);
      expect(listed.map(({ transactionReference }) => transactionReference)).toEqual(made.toReversed());
      expect(listed[0]).toMatchObject({ type: "DECLINE", amount: dollars(1_000), declineReason: "insufficient_funds" });
      expect(listed.at(-2)).toMatchObject({ type: "CLEARING", amount: dollars(7), relatedReference: authorization, declineReason: null });
      expect(listed[0]?.merchant).toEqual({ name: "Shop", categoryCode: "5411", city: "Lagos", country: "NG" });
      expect(Math.abs((listed[0]?.occurredAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
      expect((await stateOf(card)).balance).toEqual(dollars(100 - 7 - 0.55));
    });

    test.each(["fund", "unload", "freeze", "unfreeze", "terminate"] as const)(
      "says unknown to a %s whose answer was lost, and what became of it when asked",
      async (type) => {
        for (const happens of ["done", "not done"] as const) {
          const cardReference = await aCardWith(10);
          const reference = newReference();
          await underTest().loseAnswer(type, cardReference, happens);
          expect(await it()[type]({ reference, cardReference, amount: dollars(5) })).toEqual({ status: "unknown" });
          if (happens === "not done") {
            expect(await it().readOperation({ type, reference, cardReference, amount: null })).toEqual({ status: "not_found" });
            expect(await stateOf(cardReference)).toEqual({ state: "ACTIVE", balance: dollars(10) });
          } else {
            const final = await finalOf({ status: "unknown" }, type, reference, cardReference);
            expect(final).toMatchObject({
              status: "completed",
              taken: type === "unload" ? dollars(5) : type === "terminate" ? dollars(10) : null,
            });
          }
        }
      },
    );

    test("says unknown to issuing whose answer was lost, and which card it was when asked", async () => {
      const reference = newReference();
      const cardholderReference = await aCardholder();
      await underTest().loseAnswer("issue", null, "done");
      expect(await it().issueCard({ reference, cardholderReference, brand: "VISA" })).toEqual({ status: "unknown" });
      const final = await finalOf({ status: "unknown" }, "issue", reference, null);
      if (final.status !== "completed" || !final.issued) throw new Error(final.status);
      expect((await stateOf(final.issued.cardReference)).state).toBe("ACTIVE");
    });

    test("does not know what it was never told of", async () => {
      expect(await it().readOperation({ type: "fund", reference: newReference(), cardReference: "crd_nobody", amount: null })).toEqual({
        status: "not_found",
      });
      expect(await it().readCard("crd_nobody")).toEqual({ status: "not_found" });
      expect(await it().revealDetails("crd_nobody")).toEqual({ status: "not_found" });
    });

    describe("does not believe an answer that is about something else", () => {
      const insteadOf = (asked: string, other: string) => underTest().changeNextAnswer((value) => (value === asked ? other : value));

      test.each(["fund", "unload", "freeze", "unfreeze", "terminate"] as const)(
        "of a %s: another reference, or another card",
        async (type) => {
          const cardReference = await aCardWith(10);
          const other = await aCardWith(10);
          const reference = newReference();
          insteadOf(reference, newReference());
          expect(await it()[type]({ reference, cardReference, amount: dollars(5) })).toEqual({ status: "unknown" });
          const question = { type, reference, cardReference, amount: type === "fund" ? dollars(5) : null };
          await finalOf({ status: "unknown" }, type, reference, cardReference);
          for (const [asked, told] of [
            [reference, newReference()],
            [cardReference, other],
          ] as const) {
            insteadOf(asked, told);
            expect(await it().readOperation(question)).toEqual({ status: "unknown" });
          }
          expect((await it().readOperation(question)).status).toMatch(/completed|failed/);
        },
      );

      test("of a funding: another amount; of any operation: another kind", async () => {
        const cardReference = await aCardWith(10);
        const reference = newReference();
        await finalOf(await it().fund({ reference, cardReference, amount: dollars(5.43) }), "fund", reference, cardReference);
        const question = { type: "fund" as const, reference, cardReference, amount: dollars(5.43) };
        underTest().changeNextAnswer((value) => (String(value) === "543" ? (typeof value === "string" ? "54300" : 54_300) : value));
        expect(await it().readOperation(question)).toEqual({ status: "unknown" });
        expect(await it().readOperation({ ...question, type: "freeze", amount: null })).toEqual({ status: "unknown" });
        expect((await it().readOperation(question)).status).toBe("completed");
      });

      test("of a card: another card's state, spend or number", async () => {
        const card = await aCardWith(10);
        const other = await aCardWith(20);
        insteadOf(card, other);
        expect(await it().readCard(card)).toEqual({ status: "unknown" });
        insteadOf(card, other);
        expect(await it().listTransactions(card, null)).toEqual({ status: "unknown" });
        insteadOf(card, other);
        expect(await it().revealDetails(card)).toEqual({ status: "unknown" });
        expect((await it().readCard(card)).status).toBe("found");
      });

      test("of a cardholder: another person's identity", async () => {
        const reference = newReference();
        const request = { reference, firstName: "Ngozi", lastName: "Eze", email: underTest().emails.approved, phone: null };
        const made = await it().createCardholder(request);
        if (made.status !== "completed") throw new Error(made.status);
        const { providerReference } = made.cardholder;
        insteadOf(providerReference, `${providerReference}2`);
        expect(await it().readCardholder({ reference, providerReference })).toEqual({ status: "unknown" });
        insteadOf(reference, newReference());
        expect(await it().readCardholder({ reference, providerReference: null })).toEqual({ status: "unknown" });
        expect((await it().readCardholder({ reference, providerReference })).status).toBe("found");
      });
    });

    test("is not found only in its own words, not in those of a gateway", async () => {
      const question = { type: "fund" as const, reference: newReference(), cardReference: "crd_nobody", amount: null };
      const gateway = () => underTest().changeNextAnswer((value) => (typeof value === "string" ? "no Route matched" : value));
      // Where it lists what it found, nothing is said in words.
      const plain = await it().readCard("crd_nobody");
      gateway();
      expect(plain).toEqual({ status: "not_found" });
      expect(await it().readCard("crd_nobody")).toEqual({ status: "unknown" });
      gateway();
      expect(["unknown", "not_found"]).toContain((await it().readOperation(question)).status);
    });

    test("answers in text that can be stored, whatever its issuer writes", async () => {
      const card = await aCardWith(10);
      await underTest().spend(card, "AUTHORIZATION", 1);
      underTest().changeNextAnswer((value) => (value === "Shop" ? "Sh\u0000o\ud800p\u001b[31m" : value));
      const listed = await it().listTransactions(card, null);
      expect(listed).toMatchObject({ status: "found", transactions: [{ merchant: { name: "Sh\ufffdo\ufffdp\ufffd[31m" } }] });
    });

    test("lists what it can read where a row is of a kind that it does not know, and says which row that is", async () => {
      const card = await aCardWith(10);
      await underTest().spend(card, "AUTHORIZATION", 1);
      await underTest().spend(card, "FEE", 2);
      const [fee] = await allTransactions(card);
      underTest().changeNextAnswer((value) => (String(value).toUpperCase() === "FEE" ? "CASHBACK" : value));
      const listed = await it().listTransactions(card, null);
      expect(listed).toMatchObject({
        status: "found",
        transactions: [{ type: "AUTHORIZATION" }],
        unreadable: [{ reference: fee?.transactionReference, fields: [expect.any(String)] }],
      });
      expect(listed).not.toMatchObject({ transactions: [{}, {}] });
    });

    test("sends notices that name what they are about; what was tampered with is nobody's word", async () => {
      const card = await aCardWith(5);
      await underTest().spend(card, "AUTHORIZATION", 1);
      const notice = await until(async () => {
        const sent = await underTest().notices();
        return sent.find(({ headers, body }) => it().readNotice(headers, body)?.reference === card);
      });
      const tampered = notice.body.replace(card, "crd_somebodyelse");
      if (underTest().isSigned) expect(it().readNotice(notice.headers, tampered)).toBeUndefined();
      else expect(it().readNotice(notice.headers, tampered)).toEqual({ reference: "crd_somebodyelse" });
      for (const rubbish of ["", "{", "[]", '"x"', "{}", '{"card":{}}']) {
        const read = () => it().readNotice(new Headers(), rubbish);
        expect(read()).toBeUndefined();
      }
    });
  });
}
