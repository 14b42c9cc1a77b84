import type { Answer } from "../faulty-server.ts";
import { found, refuse } from "./answers.ts";

// The memory and the rules of the simulated Squad, written from Squad's documentation, not from our adapter.

type Word = "SUCCESS" | "MISMATCH" | "EXPIRED";

interface Transfer {
  word: Word;
  /** The reference of the transfer, which only its notice tells. */
  reference: string;
  kobo: number;
  at: Date;
  refund: boolean | null;
}

interface Account {
  reference: string;
  number: string;
  kobo: number;
  endsAtMs: number;
  transfers: Transfer[];
}

/** The pool, which is small, so that numbers are given again. */
const POOL = 40;
const naira = (kobo: number) => (kobo / 100).toFixed(2);

export class SquadBooks {
  readonly #accounts = new Map<string, Account>();
  #next = 0;
  #lastAtMs = 0;
  #isPoolEmpty = false;
  #endsShiftedMs = 0;

  initiate({ amount, duration, email, transaction_ref: reference }: Record<string, unknown>): Answer {
    if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 10_000) return refuse(400, "Amount must be an integer in kobo");
    if (typeof duration !== "number" || !Number.isInteger(duration) || duration < 60) return refuse(400, "Duration must be in seconds");
    if (typeof email !== "string" || !email.includes("@")) return refuse(400, "Email is invalid");
    if (typeof reference !== "string" || reference === "") return refuse(400, "Transaction reference is required");
    if (this.#accounts.has(reference)) return refuse(400, "Duplicate transaction reference");
    if (this.#isPoolEmpty) return refuse(400, "No available account in your pool");
    const number = `90${String(this.#next++ % POOL).padStart(8, "0")}`;
    const account = { reference, number, kobo: amount, endsAtMs: Date.now() + duration * 1_000 + this.#endsShiftedMs, transfers: [] };
    this.#accounts.set(reference, account);
    return found({
      ...{ is_blocked: false, account_name: "Oja Payments", account_number: number, expected_amount: naira(amount) },
      ...{ expires_at: new Date(account.endsAtMs).toISOString(), transaction_reference: reference, bank: "GTBank", currency: "NGN" },
    });
  }

  requery(reference: string): Answer {
    const account = this.#accounts.get(reference);
    if (!account) return refuse(404, "Transaction not found");
    const rows = account.transfers.map(({ word, at, refund }) => ({
      ...{ transaction_status: word, transaction_reference: reference, created_at: at.toISOString(), refund },
    }));
    return found({ count: rows.length, rows });
  }

  /** Takes a payer's money at the account that has a number now. Returns the name that our adapter gives to the transfer, and the content of its notice. */
  take(number: string, kobo: number, sender: string): { session: string; notice: Record<string, unknown> } {
    const account = [...this.#accounts.values()].findLast((one) => one.number === number);
    if (!account) throw new Error("Squad does not have this account");
    // No two transfers of an account have the same millisecond.
    this.#lastAtMs = Math.max(Date.now(), this.#lastAtMs + 1);
    const at = new Date(this.#lastAtMs);
    const isPaid = account.transfers.some(({ word }) => word === "SUCCESS");
    const isOver = account.endsAtMs <= at.getTime();
    const word: Word = isPaid || isOver ? "EXPIRED" : kobo === account.kobo ? "SUCCESS" : "MISMATCH";
    const reference = `REF${at.getTime()}S${account.transfers.length}_M1_${number}`;
    account.transfers.push({ word, reference, kobo, at, refund: word === "SUCCESS" ? null : false });
    const notice = {
      ...{ transaction_status: word, merchant_reference: account.reference, merchant_amount: naira(account.kobo) },
      ...{
        amount_received: naira(kobo),
        transaction_reference: reference,
        email: "x@y.example",
        merchant_id: "SBOJA",
        sub_merchant_id: null,
      },
      ...{ transaction_type: "dynamic_virtual_account", date: at.toISOString(), sender_name: sender },
    };
    return { session: `${account.reference}:${word === "SUCCESS" ? "paid" : at.getTime()}`, notice };
  }

  endTime(reference: string): void {
    const account = this.#accounts.get(reference);
    if (account) account.endsAtMs = 0;
  }

  /** Sends the last transfer of an account back, as Squad does with wrong money after a while. */
  refundLast(reference: string): void {
    const last = this.#accounts.get(reference)?.transfers.at(-1);
    if (last) last.refund = true;
  }

  /** Changes what became of the last transfer of an account, or forgets it. */
  rewriteLast(reference: string, word: Word | undefined): void {
    const transfers = this.#accounts.get(reference)?.transfers ?? [];
    const last = transfers.pop();
    if (last && word) transfers.push({ ...last, word });
  }

  poolSize(): number {
    return this.#isPoolEmpty ? 0 : POOL;
  }

  emptyPool(isEmpty: boolean): void {
    this.#isPoolEmpty = isEmpty;
  }

  /** Opens accounts that end so much sooner or later than they are asked to. */
  shiftEnds(byMs: number): void {
    this.#endsShiftedMs = byMs;
  }
}
