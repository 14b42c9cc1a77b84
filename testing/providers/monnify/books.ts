import type { Answer } from "../faulty-server.ts";
import { dayFirst, found, koboOf, nairaOf, nairaText, refuse, yearFirst } from "./answers.ts";

// The memory and the rules of the simulated Monnify, written from its documentation and from measurements of others, not from our adapter.

type Status = "PENDING" | "PAID" | "OVERPAID" | "PARTIALLY_PAID" | "EXPIRED" | "REVERSED";

interface Payment {
  kobo: number;
  sender: string;
  at: Date;
  session: string;
}

interface Transaction {
  /** Monnify's reference. */
  named: string;
  reference: string;
  kobo: number;
  status: Status;
  accountNumber: string | null;
  endsAtMs: number;
  payments: Payment[];
}

const OPEN_FOR_S = 2_400;

export class MonnifyBooks {
  readonly #transactions = new Map<string, Transaction>();
  readonly #contractCode: string;
  #next = 0;
  #keepsWrongAmounts = false;
  #hidesSources = false;
  #feeKobo = 0;
  #openForS = OPEN_FOR_S;

  constructor(contractCode: string) {
    this.#contractCode = contractCode;
  }

  initTransaction(body: Record<string, unknown>): Answer {
    const { amount, customerName, customerEmail, paymentReference, currencyCode, contractCode, paymentMethods } = body;
    const kobo = koboOf(amount);
    if (kobo === undefined || kobo < 2_000) return refuse(400, "amount: must be at least 20");
    if (typeof customerName !== "string" || typeof customerEmail !== "string" || !customerEmail.includes("@"))
      return refuse(400, "customerEmail: must be a well-formed email address");
    if (currencyCode !== "NGN" || contractCode !== this.#contractCode) return refuse(404, "Could not find specified contract");
    if (!Array.isArray(paymentMethods) || paymentMethods.join() !== "ACCOUNT_TRANSFER") return refuse(400, "paymentMethods: not allowed");
    const reference = String(paymentReference);
    if (this.#transactions.has(reference)) return refuse(422, "Duplicate payment reference");
    const named = `MNFY|${process.pid}|20261117154810|${String(this.#next++).padStart(6, "0")}`;
    this.#transactions.set(reference, {
      ...{ named, reference, kobo, status: "PENDING", accountNumber: null, endsAtMs: 0, payments: [] },
    });
    return found({
      ...{ transactionReference: named, paymentReference: reference, merchantName: "OJA", apiKey: "MK_PROD_0123456789" },
      ...{ enabledPaymentMethod: ["ACCOUNT_TRANSFER"], checkoutUrl: `https://sdk.monnify.example/checkout/${encodeURIComponent(named)}` },
    });
  }

  initPayment({ transactionReference }: Record<string, unknown>): Answer {
    const transaction = [...this.#transactions.values()].find(({ named }) => named === transactionReference);
    if (!transaction) return refuse(404, "There's no transaction matching supplied reference.");
    transaction.accountNumber ??= `50${String(this.#next++).padStart(8, "0")}`;
    transaction.endsAtMs = Date.now() + this.#openForS * 1_000;
    return found({
      ...{ transactionReference: transaction.named, paymentReference: transaction.reference },
      ...{
        accountNumber: transaction.accountNumber,
        accountName: "Oja Payments Ltd",
        bankName: "Moniepoint Microfinance Bank",
        bankCode: "50515",
      },
      ...{ accountDurationSeconds: this.#openForS, ussdPayment: null, requestTime: yearFirst(new Date()) },
      ...{ expiresOn: yearFirst(new Date(transaction.endsAtMs)).replace(" ", "T").slice(0, 19) },
      ...{ amount: nairaOf(transaction.kobo), fee: nairaOf(this.#feeKobo), totalPayable: nairaOf(transaction.kobo + this.#feeKobo) },
    });
  }

  query(reference: string): Answer {
    const transaction = this.#transactions.get(reference);
    if (!transaction) return refuse(404, "There's no transaction matching supplied reference.");
    const { named, kobo, status, payments } = transaction;
    return found({
      ...{ transactionReference: named, paymentReference: reference, paymentStatus: status, currency: "NGN" },
      ...{ amountPaid: nairaText(sumOf(payments)), totalPayable: nairaText(kobo), paymentMethod: "ACCOUNT_TRANSFER" },
      paidOn: payments.length > 0 ? dayFirst(payments[0]?.at ?? new Date()) : null,
      // A reading has no session.
      accountPayments: this.#hidesSources ? [] : payments.map((payment) => withoutSession(sourceOf(payment))),
    });
  }

  /**
   * Takes a payer's money. Returns the name that our adapter gives to the transfer, and the notice of it. An account that has ended, or was paid, is
   * closed to the banks: its payer's money stays at home without a word.
   */
  take(accountNumber: string, kobo: number, sender: string): { session: string; notice: object | null } {
    const transaction = [...this.#transactions.values()].find((one) => one.accountNumber === accountNumber);
    if (!transaction) throw new Error("Monnify does not have this account");
    const session = `0000${process.pid}${this.#next++}`.padEnd(30, "7");
    const payment = { kobo, sender, at: new Date(), session };
    if (transaction.status !== "PENDING" || transaction.endsAtMs <= Date.now()) return { session, notice: null };
    const isExact = kobo === transaction.kobo;
    if (!isExact && !this.#keepsWrongAmounts) return { session: `rejected:${session}`, notice: rejectionOf(transaction, payment) };
    transaction.payments.push(payment);
    transaction.status = isExact ? "PAID" : kobo > transaction.kobo ? "OVERPAID" : "PARTIALLY_PAID";
    return { session: transaction.named, notice: this.noticeOf(transaction.reference) };
  }

  /** Returns the notice of a transaction as it is now. */
  noticeOf(reference: string): object {
    const { named, kobo, status, payments, accountNumber } = this.#get(reference);
    return {
      eventType: "SUCCESSFUL_TRANSACTION",
      eventData: {
        ...{ product: { reference, type: "API_NOTIFICATION" }, transactionReference: named, paymentReference: reference, currency: "NGN" },
        ...{
          paidOn: yearFirst(payments[0]?.at ?? new Date()),
          paymentDescription: "Payment",
          metaData: {},
          paymentMethod: "ACCOUNT_TRANSFER",
        },
        ...{ amountPaid: nairaOf(sumOf(payments)), totalPayable: nairaOf(kobo), settlementAmount: nairaText(sumOf(payments) - 1_000) },
        ...{ paymentStatus: status, paymentSourceInformation: this.#hidesSources ? [] : payments.map(sourceOf) },
        destinationAccountInformation: { bankCode: "50515", bankName: "Moniepoint Microfinance Bank", accountNumber },
        customer: { name: "Customer", email: "x@y.example" },
      },
    };
  }

  /** Adds a payment to one that was kept, as if a second payer had found the account open. */
  payAgain(reference: string, kobo: number): void {
    const transaction = this.#get(reference);
    transaction.payments.push({ kobo, sender: "SECOND PAYER", at: new Date(), session: "1".repeat(30) });
    transaction.status = sumOf(transaction.payments) === transaction.kobo ? "PAID" : "OVERPAID";
  }

  setStatus(reference: string, status: Status): void {
    this.#get(reference).status = status;
  }

  endTime(reference: string): void {
    const transaction = this.#get(reference);
    transaction.endsAtMs = 0;
    if (transaction.status === "PENDING") transaction.status = "EXPIRED";
  }

  /** Whether the contract keeps wrong amounts, instead of rejecting them. */
  keepWrongAmounts(does: boolean): void {
    this.#keepsWrongAmounts = does;
  }

  /** Whether readings and notices of payments name no source, as some of the documentation's samples do. */
  hideSources(does: boolean): void {
    this.#hidesSources = does;
  }

  /** Adds a fee to the amount of payers, as the contract may say. */
  addFee(kobo: number): void {
    this.#feeKobo = kobo;
  }

  /** Opens accounts for another time than 40 minutes. */
  openFor(seconds = OPEN_FOR_S): void {
    this.#openForS = seconds;
  }

  /** Returns the sum of a transaction's payments in kobo, by Monnify's reference. Undefined for an unknown reference. */
  paidFor(named: unknown): number | undefined {
    const transaction = [...this.#transactions.values()].find((one) => one.named === named);
    return transaction && sumOf(transaction.payments);
  }

  #get(reference: string): Transaction {
    const transaction = this.#transactions.get(reference);
    if (!transaction) throw new Error("Monnify does not have this transaction");
    return transaction;
  }
}

const sumOf = (payments: Payment[]): number => payments.reduce((sum, { kobo }) => sum + kobo, 0);

const sourceOf = ({ kobo, sender, session }: Payment) => ({
  ...{ bankCode: "058", amountPaid: nairaOf(kobo), accountName: sender, sessionId: session, accountNumber: "******4021" },
});
const withoutSession = ({ sessionId: _, ...source }: ReturnType<typeof sourceOf>) => source;

const rejectionOf = ({ named, reference, kobo, accountNumber }: Transaction, payment: Payment) => ({
  eventType: "REJECTED_PAYMENT",
  eventData: {
    ...{ metaData: {}, product: { reference, type: "API_NOTIFICATION" }, amount: nairaOf(kobo) },
    ...{ paymentSourceInformation: sourceOf(payment), transactionReference: named, paymentReference: reference },
    ...{ created_on: yearFirst(payment.at), paymentDescription: "Payment", customer: { name: "Customer", email: "x@y.example" } },
    paymentRejectionInformation: {
      ...{ bankCode: "50515", destinationAccountNumber: accountNumber, bankName: "Moniepoint Microfinance Bank" },
      ...{ rejectionReason: payment.kobo < kobo ? "UNDER_PAYMENT" : "OVER_PAYMENT", expectedAmount: nairaOf(kobo) },
    },
  },
});
