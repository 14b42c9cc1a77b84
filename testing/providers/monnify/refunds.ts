import type { Answer } from "../faulty-server.ts";
import { found, koboOf, nairaOf, nairaText, refuse } from "./answers.ts";
import type { MonnifyBooks } from "./books.ts";

// The refunds of the simulated Monnify, written from its documentation, not from our adapter.

type Status = "PENDING" | "COMPLETED" | "FAILED";

interface Refund {
  reference: string;
  transaction: string;
  kobo: number;
  /** The states that the next readings see, one after the other. The last one stays. */
  course: [Status, ...Status[]];
}

export class MonnifyRefunds {
  readonly #books: MonnifyBooks;
  readonly #refunds = new Map<string, Refund>();
  readonly #ends: ("COMPLETED" | "FAILED")[] = [];

  constructor(books: MonnifyBooks) {
    this.#books = books;
  }

  initiate({ transactionReference, refundReference, refundAmount, refundReason, customerNote }: Record<string, unknown>): Answer {
    const kobo = koboOf(refundAmount);
    const paid = this.#books.paidFor(transactionReference);
    if (kobo === undefined || typeof refundReference !== "string") return refuse(400, "refundAmount: invalid");
    if (String(refundReason).length > 64 || String(customerNote).length > 16) return refuse(400, "customerNote: too long");
    if (paid === undefined) return refuse(404, "There's no transaction matching supplied reference.");
    if (this.#refunds.has(refundReference)) return refuse(422, "Refund with the reference already exists");
    const before = [...this.#refunds.values()].filter(
      ({ transaction, course }) => transaction === transactionReference && course[0] !== "FAILED",
    );
    if (before.reduce((sum, refund) => sum + refund.kobo, kobo) > paid) return refuse(422, "Refund amount is more than the amount paid");
    const refund: Refund = {
      ...{
        reference: refundReference,
        transaction: String(transactionReference),
        kobo,
        course: ["PENDING", this.#ends.shift() ?? "COMPLETED"],
      },
    };
    this.#refunds.set(refundReference, refund);
    return found(shownOf(refund));
  }

  read(reference: string): Answer {
    const refund = this.#refunds.get(reference);
    if (!refund) return refuse(404, "Refund not found");
    const shown = found(shownOf(refund));
    const [, next, ...rest] = refund.course;
    if (next !== undefined) refund.course = [next, ...rest];
    return shown;
  }

  /** Lets the next refund end like this. */
  endNext(end: "COMPLETED" | "FAILED"): void {
    this.#ends.push(end);
  }

  /** Ends the newest refund, and returns the notice of that. */
  finish(end: "COMPLETED" | "FAILED"): object {
    const refund = [...this.#refunds.values()].at(-1);
    if (!refund) throw new Error("Monnify has no refund");
    refund.course = [end];
    const eventData = { refundReference: refund.reference, refundStatus: end, refundAmount: nairaText(refund.kobo) };
    return { eventType: end === "COMPLETED" ? "SUCCESSFUL_REFUND" : "FAILED_REFUND", eventData };
  }

  /** Returns the state of each refund by our reference. */
  states(): Map<string, string> {
    return new Map([...this.#refunds].map(([reference, { course }]) => [reference, course[0]]));
  }

  /** How much goes back, or went, in kobo. */
  sum(): number {
    return [...this.#refunds.values()].reduce((sum, { kobo, course }) => sum + (course.includes("FAILED") ? 0 : kobo), 0);
  }
}

const shownOf = ({ reference, transaction, kobo, course }: Refund) => ({
  ...{ refundReference: reference, transactionReference: transaction, refundAmount: nairaOf(kobo), refundStatus: course[0] },
  ...{ refundType: "PARTIAL_REFUND", comment: "Refund processed", completedOn: null },
});
