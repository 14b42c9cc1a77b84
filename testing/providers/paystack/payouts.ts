import type { Answer } from "../faulty-server.ts";
import { found, refuse } from "./answers.ts";

// The payouts of the simulated Paystack, written from its documentation and from measurements of others, not from our adapter.

type Status = "pending" | "otp" | "success" | "failed" | "abandoned" | "blocked" | "rejected" | "reversed";

interface Transfer {
  id: number;
  reference: string;
  amount: number;
  recipient: string;
  /** The states that the next readings see, one after the other. The last one stays. */
  course: [Status, ...Status[]];
}

interface Recipient {
  code: string;
  name: string;
  accountNumber: string;
  bankCode: string;
}

const BANKS = [
  { name: "Guaranty Trust Bank", slug: "guaranty-trust-bank", code: "058", active: true },
  { name: "Wema Bank", slug: "wema-bank", code: "035", active: true },
  { name: "ALAT by WEMA", slug: "alat-by-wema", code: "035A", active: true },
  { name: "Moniepoint MFB", slug: "moniepoint-mfb-ng", code: "50515", active: true },
  { name: "Kuda Bank", slug: "kuda-bank", code: "50211", active: true },
  { name: "A bank that is gone", slug: "gone", code: "999999", active: false },
];
const PAGE = 3;

/** By the end of the account's number. A live transfer is pending at first. */
const COURSES: Record<string, [Status, ...Status[]]> = {
  "0000": ["failed"],
  1111: ["pending", "pending", "pending", "success"],
  2222: ["pending", "pending", "pending", "failed"],
  5555: ["success", "success", "reversed"],
};

export class PaystackPayouts {
  readonly #recipients = new Map<string, Recipient>();
  readonly #transfers = new Map<string, Transfer>();
  readonly #names = new Map<string, string>();
  #balance = 1_000_000_000_00;
  #asksForOtp = false;
  #nextId = 37_272_792;

  listBanks(cursor: string | null): Answer {
    const from = cursor === null ? 0 : Number(cursor);
    const next = from + PAGE < BANKS.length ? String(from + PAGE) : null;
    const { status, body } = found("Banks retrieved", BANKS.slice(from, from + PAGE));
    return { status, body: { ...body, meta: { next, previous: null, perPage: PAGE } } };
  }

  resolve(accountNumber: string, bankCode: string): Answer {
    const isKnown = BANKS.some(({ code }) => code === bankCode) && /^\d{10}$/.test(accountNumber) && !accountNumber.endsWith("4040");
    if (!isKnown) return refuse(422, "Could not resolve account name. Check parameters or try again.");
    const account_name = this.#names.get(accountNumber) ?? `OWNER OF ${accountNumber.slice(-4)}`;
    return found("Account number resolved", { account_number: accountNumber, account_name, bank_id: 9 });
  }

  makeRecipient({ type, name, account_number, bank_code, currency }: Record<string, unknown>): Answer {
    const isRight =
      type === "nuban" && currency === "NGN" && typeof name === "string" && name !== "" && BANKS.some(({ code }) => code === bank_code);
    if (!isRight) return refuse(400, "Account details are invalid");
    const accountNumber = String(account_number);
    const bankCode = String(bank_code);
    const code = `RCP_${bankCode}${accountNumber}`;
    this.#recipients.set(code, { code, name: String(name), accountNumber, bankCode });
    const { status, body } = found("Transfer recipient created successfully", {
      ...{ recipient_code: code, active: true, type: "nuban" },
      details: { account_number: accountNumber, account_name: String(name), bank_code: bankCode },
    });
    return { status: status + 1, body };
  }

  transfer({ source, amount, recipient, reference }: Record<string, unknown>): Answer {
    const to = this.#recipients.get(String(recipient));
    const named = String(reference);
    if (source !== "balance" || !to) return refuse(400, "Recipient specified is invalid");
    if (!/^[A-Za-z0-9_-]{16,50}$/.test(named)) return refuse(400, "Invalid transfer reference");
    if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 10_000)
      return refuse(400, "Transfer amount is below the minimum");
    if (this.#transfers.has(named)) {
      const { status, body } = refuse(400, "Please provide a unique reference. Reference already exists on a transfer");
      return { status, body: { ...body, code: "duplicate_transfer_reference" } };
    }
    if (amount > this.#balance) return refuse(400, "Your balance is not enough to fulfil this request");
    const course: [Status, ...Status[]] = this.#asksForOtp ? ["otp"] : (COURSES[to.accountNumber.slice(-4)] ?? ["pending", "success"]);
    const made: Transfer = { id: this.#nextId++, reference: named, amount, recipient: to.code, course: [...course] };
    this.#transfers.set(named, made);
    this.#balance -= amount;
    return found("Transfer has been queued", this.#show(made));
  }

  verify(reference: string): Answer {
    const transfer = this.#transfers.get(reference);
    return transfer ? found("Transfer retrieved", this.#show(transfer)) : refuse(404, "Transfer not found");
  }

  /** Shows a transfer as it is now. The next look is a step further. */
  #show(transfer: Transfer) {
    const [status, ...later] = transfer.course;
    const [next, ...rest] = later;
    if (next !== undefined) transfer.course = [next, ...rest];
    return this.#dataOf(transfer, status);
  }

  #dataOf({ id, reference, amount, recipient }: Transfer, status: Status) {
    const to = this.#recipients.get(recipient);
    return {
      ...{ id, domain: "live", reference, amount, currency: "NGN", source: "balance", status, transfer_code: `TRF_${id}` },
      recipient: { recipient_code: recipient, name: to?.name, details: { account_number: to?.accountNumber, bank_code: to?.bankCode } },
      session: { provider: status === "success" ? "nip" : null, id: status === "success" ? `0000${id}`.padEnd(30, "0") : null },
      ...{ fee_charged: 2_500, gateway_response: null, createdAt: new Date().toISOString() },
    };
  }

  /** Ends a transfer, and returns the notice of that. */
  finish(reference: string, status: "success" | "failed" | "reversed"): object {
    const transfer = this.#transfers.get(reference);
    if (!transfer) throw new Error("Paystack does not have this transfer");
    transfer.course = [status];
    return { event: `transfer.${status}`, data: this.#dataOf(transfer, status) };
  }

  /** Lets transfers that are not finished stay pending. */
  hold(reference: string): void {
    const transfer = this.#transfers.get(reference);
    if (transfer) transfer.course = ["pending"];
  }

  /** Returns our reference of the last transfer to an account. */
  lastReferenceTo(accountNumber: string): string {
    const ofAccount = [...this.#transfers.values()].filter(
      ({ recipient }) => this.#recipients.get(recipient)?.accountNumber === accountNumber,
    );
    const last = ofAccount.at(-1);
    if (!last) throw new Error("Paystack has no transfer to this account");
    return last.reference;
  }

  /** Gives an account an owner. */
  nameOwner(accountNumber: string, name: string): void {
    this.#names.set(accountNumber, name);
  }

  setBalance(kobo: number): void {
    this.#balance = kobo;
  }

  askForOtp(does: boolean): void {
    this.#asksForOtp = does;
  }

  /** Returns the state that the next reading of each order sees, by our reference. */
  states(): Map<string, string> {
    return new Map([...this.#transfers].map(([reference, { course }]) => [reference, course[0]]));
  }

  /** How often money was ordered to an account. */
  timesPaid(accountNumber: string): number {
    return [...this.#transfers.values()].filter(({ recipient }) => recipient.endsWith(accountNumber)).length;
  }
}
