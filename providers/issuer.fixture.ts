import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { dollars, type Money, money } from "#lib/money.ts";
import { until } from "#testing/until.ts";
import type { IssuedCard, Issuer, OperationOutcome, OperationType, SpendTransaction } from "./issuer.ts";

/** What a conformance suite needs beside the adapter: identities that are decided, spend, faults and the issuer's notices. */
export interface IssuerUnderTest {
  issuer: Issuer;
  /** Emails for which the issuer approves or rejects the identity. */
  emails: { approved: string; rejected: string };
  /** Records the spend of a shop, in US dollars. Returns the issuer's name for the transaction. */
  spend: (card: string, type: SpendTransaction["type"], amount: number, follows?: string) => Promise<string>;
  /** Moves the time of a transaction back by so many hours, but not the time when the issuer recorded it. */
  moveBack: (transaction: string, hours: number) => Promise<void>;
  /** Makes the issuer lose its answer to the next operation of a type, which it executes or not. */
  loseAnswer: (type: OperationType, card: string | null, happens: "done" | "not done") => Promise<void>;
  /** Changes every text and number in the issuer's next answer. */
  changeNextAnswer: (change: (value: unknown) => unknown) => void;
  /** Returns the notices that the issuer has sent, unchanged. */
  notices: () => Promise<{ headers: Headers; body: string }[]>;
  isSigned: boolean;
}

export const newReference = () => randomBytes(13).toString("hex").toUpperCase();

/** Returns `amount` less each of `parts`. */
export const less = (amount: Money, ...parts: Money[]): Money =>
  money(
    parts.reduce((rest, { minor }) => rest - minor, amount.minor),
    amount.currency,
  );

export type CardChange = Exclude<OperationType, "issue">;
export const CARD_CHANGES = ["fund", "unload", "freeze", "unfreeze", "terminate"] as const satisfies CardChange[];

/** Steps that the conformance suites share. Each throws if the issuer does not take it. */
export class IssuerSteps {
  readonly #underTest: () => IssuerUnderTest;

  constructor(underTest: () => IssuerUnderTest) {
    this.#underTest = underTest;
  }

  get #issuer(): Issuer {
    return this.#underTest().issuer;
  }

  /** Returns the final outcome of a write. Reads the operation until it is decided. */
  async finalOf(
    outcome: OperationOutcome,
    type: OperationType,
    reference: string,
    cardReference: string | null,
    amount: Money | null = null,
  ): Promise<OperationOutcome> {
    if (outcome.status === "completed" || outcome.status === "failed") return outcome;
    return until(async () => {
      const reading = await this.#issuer.readOperation({ type, reference, cardReference, amount });
      return (reading.status === "completed" || reading.status === "failed") && reading;
    });
  }

  /** Creates a cardholder and waits until its identity is decided. Returns the issuer's name for it. */
  async cardholder(email = this.#underTest().emails.approved): Promise<string> {
    const reference = newReference();
    const made = await this.#issuer.createCardholder({ reference, firstName: "Ngozi", lastName: "Eze", email, phone: null });
    if (made.status !== "completed") throw new Error(`creating a cardholder was ${made.status}`);
    const { providerReference } = made.cardholder;
    await until(async () => {
      const reading = await this.#issuer.readCardholder({ reference, providerReference });
      return reading.status === "found" && reading.found.kyc.status !== "PENDING";
    });
    return providerReference;
  }

  async issue(brand: "VISA" | "MASTERCARD" = "VISA"): Promise<IssuedCard> {
    const reference = newReference();
    const outcome = await this.#issuer.issueCard({ reference, cardholderReference: await this.cardholder(), brand });
    const final = await this.finalOf(outcome, "issue", reference, null);
    if (final.status !== "completed" || !final.issued) throw new Error(`issuing was ${final.status}`);
    return final.issued;
  }

  /** Writes one operation of a card, with an amount in US dollars. Returns its final outcome. */
  async change(type: CardChange, cardReference: string, amount = 0): Promise<OperationOutcome> {
    const reference = newReference();
    const request = { reference, cardReference, amount: dollars(amount) };
    return this.finalOf(await this.#issuer[type](request), type, reference, cardReference);
  }

  /** Issues a card and funds it with an amount in US dollars. Returns the issuer's name for the card. */
  async cardWith(amount: number): Promise<string> {
    const { cardReference } = await this.issue();
    expect((await this.change("fund", cardReference, amount)).status).toBe("completed");
    return cardReference;
  }

  async stateOf(card: string) {
    const reading = await this.#issuer.readCard(card);
    if (reading.status !== "found") throw new Error(`reading the card was ${reading.status}`);
    return reading.found;
  }

  /** Returns a card's spend from all pages. */
  async allTransactions(card: string): Promise<SpendTransaction[]> {
    const all: SpendTransaction[] = [];
    for (let page: string | null = null, more = true; more; ) {
      const listed = await this.#issuer.listTransactions(card, page);
      if (listed.status !== "found") throw new Error("the spend could not be read");
      all.push(...listed.transactions);
      page = listed.nextPage;
      more = page !== null;
    }
    return all;
  }
}
