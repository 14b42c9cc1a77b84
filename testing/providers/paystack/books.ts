import { randomInt } from "node:crypto";
import type { Answer } from "../faulty-server.ts";
import { found, refuse } from "./answers.ts";

// The memory and the rules of the simulated Paystack, written from Paystack's documentation and from measurements of others, not from our adapter.

export type RefundEnd = "pending" | "failed" | "needs-attention";

interface Transaction {
  id: number;
  reference: string;
  email: string;
  /** In kobo. */
  requested: number;
  accountNumber: string;
  expiresAtMs: number;
  status: "ongoing" | "success" | "reversal pending" | "reversed";
  paidAt: string | null;
  sender: string | null;
}

interface Refund {
  id: number;
  transaction: number;
  amount: number;
  merchant_note: string | null;
  status: RefundEnd | "processing" | "processed";
}

const MIN_KOBO = 10_000;
const MAX_KOBO = 1_000_000_000;
const MIN_VALID_MS = 15 * 60_000;
const MAX_VALID_MS = 8 * 60 * 60_000;

export class PaystackBooks {
  readonly #transactions = new Map<string, Transaction>();
  readonly #refunds: Refund[] = [];
  readonly #refundEnds: RefundEnd[] = [];
  #readingsBehind = 0;
  #endsShiftedMs = 0;
  #nextId = 3_104_021_987;
  #nextAccount = randomInt(1_000_000, 900_000_000);

  charge({ email, amount, reference, bank_transfer }: Record<string, unknown>): Answer {
    const kobo = Number(amount);
    const expires = (bank_transfer as { account_expires_at?: string | null } | undefined)?.account_expires_at;
    if (typeof email !== "string" || !email.includes("@")) return refuse(400, "Invalid Email Address Passed");
    if (!Number.isInteger(kobo) || kobo < MIN_KOBO || kobo > MAX_KOBO) return refuse(400, "Invalid Amount Sent");
    if (typeof reference !== "string" || !/^[A-Za-z0-9.=-]+$/.test(reference)) return refuse(400, "Invalid reference");
    if (this.#transactions.has(reference)) return refuse(400, "Duplicate Transaction Reference");
    const asked = expires ? Date.parse(expires) - Date.now() + this.#endsShiftedMs : MAX_VALID_MS;
    const transaction: Transaction = {
      ...{ id: this.#nextId++, reference, email, requested: kobo, accountNumber: String(this.#nextAccount++).padStart(10, "1") },
      ...{ expiresAtMs: Date.now() + Math.min(MAX_VALID_MS, Math.max(MIN_VALID_MS, asked)), status: "ongoing", paidAt: null, sender: null },
    };
    this.#transactions.set(reference, transaction);
    return found("Charge attempted", pendingOf(transaction));
  }

  /** `GET /charge/REFERENCE`. It is not documented that this answer has the account's number. */
  checkCharge(reference: string): Answer {
    const known = this.#transactions.has(reference);
    return known ? found("Reference check successful", { reference, status: "pending" }) : refuse(400, "Transaction reference is invalid.");
  }

  verify(reference: string): Answer {
    const transaction = this.#transactions.get(reference);
    if (!transaction) return refuse(400, "Transaction reference not found.");
    const isBehind = transaction.status === "success" && this.#readingsBehind > 0;
    if (isBehind) this.#readingsBehind--;
    if (isBehind) return found("Verification successful", { ...shownOf(transaction), status: "ongoing", paid_at: null, authorization: {} });
    const isOver = transaction.status === "ongoing" && transaction.expiresAtMs <= Date.now();
    return found("Verification successful", { ...shownOf(transaction), ...(isOver && { status: "abandoned" }) });
  }

  refund({ transaction: named, amount: asked, merchant_note: note }: Record<string, unknown>): Answer {
    const transaction = [...this.#transactions.values()].find(({ id, reference }) => [String(id), reference].includes(String(named)));
    if (!transaction || transaction.paidAt === null) return refuse(400, "Transaction not found");
    const amount = Number(asked ?? transaction.requested);
    const given = this.#refundsOf(transaction.id).filter(({ status }) => status !== "failed");
    if (given.reduce((sum, refund) => sum + refund.amount, 0) + amount > transaction.requested)
      return refuse(400, "Refund amount cannot be greater than the amount left to refund");
    const made: Refund = {
      ...{ id: 500_000 + this.#refunds.length, transaction: transaction.id, amount, merchant_note: typeof note === "string" ? note : null },
      status: this.#refundEnds.shift() ?? "pending",
    };
    this.#refunds.push(made);
    const data = { ...made, transaction: { id: transaction.id, reference: transaction.reference, amount: transaction.requested } };
    return found("Refund has been queued for processing", data);
  }

  /** `GET /refund?transaction=ID`. Each reading takes the refunds a step further: pending, processing, processed. */
  listRefunds(transactionId: string): Answer {
    const own = this.#refundsOf(Number(transactionId));
    const answer = found(
      "Refunds retrieved",
      own.map((refund) => ({ ...refund, currency: "NGN" })),
    );
    for (const refund of own) {
      if (refund.status === "processing") this.#finish(refund);
      if (refund.status === "pending") refund.status = "processing";
    }
    return answer;
  }

  #finish(refund: Refund): void {
    refund.status = "processed";
    const transaction = [...this.#transactions.values()].find(({ id }) => id === refund.transaction);
    const processed = this.#refundsOf(refund.transaction).filter(({ status }) => status === "processed");
    const sum = processed.reduce((total, { amount }) => total + amount, 0);
    if (transaction?.requested === sum) transaction.status = "reversed";
  }

  #refundsOf(transactionId: number): Refund[] {
    return this.#refunds.filter(({ transaction }) => transaction === transactionId);
  }

  /** Takes a payer's money. Returns the id of its transaction, and the notice: none for late and second money, which goes back without a word. */
  take(accountNumber: string, kobo: number, sender: string): { id: string; notice: object | undefined } {
    const transaction = must([...this.#transactions.values()].find((one) => one.accountNumber === accountNumber));
    const id = String(transaction.id);
    if (transaction.expiresAtMs <= Date.now() || transaction.status !== "ongoing") return { id, notice: undefined };
    if (kobo !== transaction.requested) return { id, notice: rejectionOf(transaction, kobo) };
    Object.assign(transaction, { status: "success", paidAt: new Date().toISOString(), sender });
    return { id, notice: { event: "charge.success", data: shownOf(transaction) } };
  }

  /** Returns the note and the state of each refund. */
  refundStates(): [string, string][] {
    return this.#refunds.map(({ merchant_note, status }) => [String(merchant_note), status]);
  }

  endTime(reference: string): void {
    must(this.#transactions.get(reference)).expiresAtMs = 0;
  }

  /** Takes a paid transaction back, as after a dispute. */
  reverse(reference: string): void {
    must(this.#transactions.get(reference)).status = "reversed";
  }

  /** Makes a refund that somebody asked for in Paystack's dashboard, and that is processed. */
  refundByHand(transactionId: string, amount: number, merchant_note: string | null = "Refund by ada@shop.example"): void {
    const transaction = Number(transactionId);
    this.#refunds.push({ id: 500_000 + this.#refunds.length, transaction, amount, merchant_note, status: "processing" });
  }

  /** Lets a transaction have another status: one that Paystack has for a while. */
  setStatus(reference: string, status: Transaction["status"]): void {
    must(this.#transactions.get(reference)).status = status;
  }

  /** Opens accounts that end so much sooner or later than they are asked to. */
  shiftEnds(byMs: number): void {
    this.#endsShiftedMs = byMs;
  }

  /** Lets the next refund end like this. */
  endNextRefund(end: RefundEnd): void {
    this.#refundEnds.push(end);
  }

  /** Keeps `verify` behind: a paid transaction reads as ongoing so many times. */
  delayReadings(times: number): void {
    this.#readingsBehind = times;
  }
}

const pendingOf = ({ reference, accountNumber, expiresAtMs }: Transaction) => ({
  reference,
  status: "pending_bank_transfer",
  display_text: "Please make a transfer to the account specified",
  account_name: "Paystack Checkout",
  account_number: accountNumber,
  bank: { slug: "test-bank", name: "Test Bank", id: 24 },
  account_expires_at: new Date(expiresAtMs).toISOString(),
});

const CUSTOMER_CODE = "CUS_1rkzaqsv4rrhqo6";

const shownOf = ({ id, reference, requested, status, paidAt, sender, email }: Transaction) => ({
  ...{ id, domain: "live", status, reference, amount: requested, requested_amount: requested, message: null },
  ...{ paid_at: paidAt, channel: "bank_transfer", currency: "NGN", fees: 1_500 },
  authorization: sender
    ? {
        ...{ channel: "bank_transfer", sender_bank: "Guaranty Trust Bank", sender_bank_account_number: "12XXXX4021" },
        ...{ sender_name: sender, narration: "NIP transfer" },
      }
    : {},
  customer: { id: 181_873_746, email, customer_code: CUSTOMER_CODE },
});

/** Paystack names neither the account nor the reference. Whether the amount is the one that came is not documented. */
const rejectionOf = ({ id, email }: Transaction, kobo: number) => ({
  event: "bank.transfer.rejected",
  data: {
    bank_transfer: {
      ...{ amount: String(kobo), message: "The amount is not the one that was expected", message_type: "INCORRECT_AMOUNT" },
      transaction_id: id,
    },
    customer: { email, customer_code: CUSTOMER_CODE },
  },
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("Paystack does not have this");
  return value;
}
