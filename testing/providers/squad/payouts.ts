import type { Answer } from "../faulty-server.ts";
import { found, refuse } from "./answers.ts";

// The payouts of the simulated Squad, written from its documentation, not from our adapter.

type Word = "pending" | "success" | "failed" | "reversed";

interface Payout {
  reference: string;
  kobo: string;
  accountNumber: string;
  /** The states that the next readings see, one after the other. The last one stays. */
  course: [Word, ...Word[]];
}

/** By the end of the account's number. */
const COURSES: Record<string, [Word, ...Word[]]> = {
  "0000": ["failed"],
  1111: ["pending", "pending", "success"],
  2222: ["pending", "pending", "failed"],
  5555: ["success", "success", "reversed"],
};

export class SquadPayouts {
  readonly #payouts = new Map<string, Payout>();
  readonly #names = new Map<string, string>();
  readonly #merchantId: string;
  #refusal: Answer | undefined;
  #otherWord: string | undefined;

  constructor(merchantId: string) {
    this.#merchantId = merchantId;
  }

  lookup({ bank_code, account_number }: Record<string, unknown>): Answer {
    const number = String(account_number);
    const isKnown = bank_code === "000013" && /^\d{10}$/.test(number) && !number.endsWith("4040");
    if (!isKnown) return refuse(400, "Account lookup failed");
    return found({ account_name: this.#names.get(number) ?? `OWNER OF ${number.slice(-4)}`, account_number: number });
  }

  transfer({ transaction_reference, amount, account_number, account_name, currency_id }: Record<string, unknown>): Answer {
    const reference = String(transaction_reference);
    const accountNumber = String(account_number);
    if (this.#refusal) return this.#refusal;
    if (!reference.startsWith(`${this.#merchantId}_`)) return refuse(400, "Transaction reference must have the merchant id as prefix");
    if (typeof amount !== "string" || !/^\d+$/.test(amount)) return refuse(400, "Amount must be a string in kobo");
    if (currency_id !== "NGN" || typeof account_name !== "string") return refuse(400, "Invalid request");
    if (this.#payouts.has(reference)) return refuse(400, "Duplicate transaction reference");
    const course = [...(COURSES[accountNumber.slice(-4)] ?? ["success"])] as [Word, ...Word[]];
    const payout = { reference, kobo: amount, accountNumber, course };
    this.#payouts.set(reference, payout);
    const [word] = course;
    if (word === "failed") return refuse(400, "Transfer failed");
    if (word === "pending") return { status: 424, body: { status: 424, success: false, message: "Timeout occurred", data: {} } };
    this.#step(payout);
    return found({
      ...this.#show(payout),
      ...(this.#otherWord === undefined ? {} : { status: this.#otherWord }),
      response_description: "Approved or completed successfully",
      currency_id: "NGN",
      bank_code: "000013",
    });
  }

  requery({ transaction_reference }: Record<string, unknown>): Answer {
    const payout = this.#payouts.get(String(transaction_reference));
    if (!payout) return refuse(404, "Transaction not found");
    const [word] = payout.course;
    this.#step(payout);
    return found({
      ...this.#show(payout),
      transaction_status: word,
      ...(this.#otherWord === undefined ? {} : { status: this.#otherWord }),
    });
  }

  #step(payout: Payout): void {
    const [, next, ...rest] = payout.course;
    if (next !== undefined) payout.course = [next, ...rest];
  }

  #show({ reference, kobo, accountNumber }: Payout) {
    return {
      ...{ transaction_reference: reference, amount: kobo, account_number: accountNumber, account_name: "OWNER" },
      nip_transaction_reference: `0000${reference.replace(/\D/g, "")}`.padEnd(30, "0").slice(0, 30),
    };
  }

  /** Refuses every order like this, or none. */
  refuseOrders(answer: Answer | undefined): void {
    this.#refusal = answer;
  }

  /** Has readings say a second word beside that of the payout, or none. */
  sayAlso(word: string | undefined): void {
    this.#otherWord = word;
  }

  /** Returns the state that the next reading of each order sees, by our reference. */
  states(): Map<string, string> {
    return new Map([...this.#payouts].map(([reference, { course }]) => [reference, course[0]]));
  }

  /** How often money was ordered to an account. */
  timesPaid(accountNumber: string): number {
    return [...this.#payouts.values()].filter((payout) => payout.accountNumber === accountNumber).length;
  }
}
