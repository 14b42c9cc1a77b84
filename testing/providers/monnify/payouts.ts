import type { Answer } from "../faulty-server.ts";
import { found, koboOf, nairaOf, refuse } from "./answers.ts";

// The payouts of the simulated Monnify, written from its documentation and from measurements of others, not from our adapter.

type Status = "PENDING" | "PENDING_AUTHORIZATION" | "SUCCESS" | "FAILED" | "EXPIRED" | "REVERSED";

interface Payout {
  reference: string;
  kobo: number;
  accountNumber: string;
  bankCode: string;
  /** The states that the next readings see, one after the other. The last one stays. */
  course: [Status, ...Status[]];
}

const BANKS = [
  { name: "Guaranty Trust Bank", code: "058" },
  { name: "Moniepoint Microfinance Bank", code: "50515" },
];

/** By the end of the account's number. */
const COURSES: Record<string, [Status, ...Status[]]> = {
  "0000": ["FAILED"],
  1111: ["PENDING", "PENDING", "SUCCESS"],
  2222: ["PENDING", "PENDING", "FAILED"],
  5555: ["SUCCESS", "SUCCESS", "REVERSED"],
  6666: ["PENDING", "EXPIRED"],
};

export class MonnifyPayouts {
  readonly #payouts = new Map<string, Payout>();
  readonly #sourceAccount: string;
  #balance = 1_000_000_000_00;
  #asksForOtp = false;

  constructor(sourceAccount: string) {
    this.#sourceAccount = sourceAccount;
  }

  listBanks = (): Answer => found(BANKS.map((bank) => ({ ...bank, ussdTemplate: null, baseUssdCode: null })));

  /** A wrong number and a bank that is down have the same answer. */
  validate(accountNumber: string, bankCode: string): Answer {
    const isKnown = BANKS.some(({ code }) => code === bankCode) && /^\d{10}$/.test(accountNumber) && !accountNumber.endsWith("4040");
    if (!isKnown) return refuse(404, "Unable to validate account");
    return found({ accountNumber, accountName: `OWNER OF ${accountNumber.slice(-4)}`, bankCode });
  }

  single(body: Record<string, unknown>): Answer {
    const { amount, reference, narration, destinationBankCode, destinationAccountNumber, currency, sourceAccountNumber } = body;
    const kobo = koboOf(amount);
    if (kobo === undefined || typeof narration !== "string") return refuse(400, "amount: invalid");
    if (currency !== "NGN" || sourceAccountNumber !== this.#sourceAccount) return refuse(404, "Wallet was not found");
    if (!BANKS.some(({ code }) => code === destinationBankCode)) return refuse(400, "Bank code is invalid");
    if (this.#payouts.has(String(reference))) return refuse(422, "Duplicate reference");
    if (kobo > this.#balance) return refuse(422, "Insufficient balance");
    this.#balance -= kobo;
    const accountNumber = String(destinationAccountNumber);
    const course = this.#asksForOtp ? ["PENDING_AUTHORIZATION" as const] : (COURSES[accountNumber.slice(-4)] ?? ["SUCCESS" as const]);
    const payout: Payout = {
      ...{
        reference: String(reference),
        kobo,
        accountNumber,
        bankCode: String(destinationBankCode),
        course: [...course] as [Status, ...Status[]],
      },
    };
    this.#payouts.set(payout.reference, payout);
    return found(this.#show(payout));
  }

  summary(reference: string): Answer {
    const payout = this.#payouts.get(reference);
    return payout ? found(this.#show(payout)) : refuse(404, "Transaction not found");
  }

  /** Shows a payout as it is now. The next look is a step further. */
  #show(payout: Payout) {
    const [status, next, ...rest] = payout.course;
    if (next !== undefined) payout.course = [next, ...rest];
    const { reference, kobo, accountNumber, bankCode } = payout;
    return {
      ...{ amount: nairaOf(kobo), reference, narration: "Payout", currency: "NGN", fee: 20, twoFaEnabled: this.#asksForOtp, status },
      ...{
        destinationAccountName: "OWNER",
        destinationBankName: "A bank",
        destinationAccountNumber: accountNumber,
        destinationBankCode: bankCode,
      },
    };
  }

  /** Ends a payout, and returns the notice of that. */
  finish(reference: string, status: "SUCCESS" | "FAILED" | "REVERSED"): object {
    const payout = this.#payouts.get(reference);
    if (!payout) throw new Error("Monnify does not have this payout");
    payout.course = [status];
    const word = { SUCCESS: "SUCCESSFUL", FAILED: "FAILED", REVERSED: "REVERSED" }[status];
    const eventData = { reference, amount: nairaOf(payout.kobo), fee: 20, status, sessionId: `0000${"9".repeat(26)}` };
    return { eventType: `${word}_DISBURSEMENT`, eventData };
  }

  /** Returns our reference of the last payout to an account. */
  lastReferenceTo(accountNumber: string): string {
    const last = [...this.#payouts.values()].findLast((payout) => payout.accountNumber === accountNumber);
    if (!last) throw new Error("Monnify has no payout to this account");
    return last.reference;
  }

  askForOtp(does: boolean): void {
    this.#asksForOtp = does;
  }

  setBalance(kobo: number): void {
    this.#balance = kobo;
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
