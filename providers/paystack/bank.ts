import { log } from "#lib/log.ts";
import { naira } from "#lib/money.ts";
import { HOUR_MS, MINUTE_MS } from "#lib/time.ts";
import type {
  AccountOutcome,
  AccountReading,
  AccountRequest,
  Bank,
  BankCapabilities,
  BankNotice,
  KeptTransfer,
  NoticeOfBank,
  ReturnOutcome,
} from "../bank.ts";
import { bearerCalls, type Call, NO_ANSWER, type Reply, TIMEOUT_MS } from "../bearer-calls.ts";
import { signsBody } from "../body-signature.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { accountOfPayer } from "../payer.ts";
import { paystackLiveChecks } from "./live-checks.ts";
import { asKept, type Domain, isTransfer, outcomeOfRefund, toKept, toReading, toReturn, whyGone } from "./map.ts";
import { TransferNotice } from "./payout-replies.ts";
import { listRefunds, madeRefund, paystackRefunds } from "./refunds.ts";
import { Charge, Notice, PaidTransaction, RefundNotice, Refusal, RejectedTransfer } from "./replies.ts";

const CAPABILITIES: BankCapabilities = {
  validForMs: { min: 15 * MINUTE_MS, max: 8 * HOUR_MS },
  amount: { min: naira(100), max: naira(10_000_000) },
  canClose: false,
  sendsBack: { underpaid: "told in part", overpaid: "told in part", late: "untold", duplicate: "untold" },
  canReturn: true,
  addsPayerFee: false,
  namesAccount: true,
  hasStatement: false,
};

export interface PaystackSettings {
  url: string;
  secretKey: string;
  domain: Domain;
  /** The host of this service, to which the emails of payers belong (`payerOf`). */
  payerHost: string;
}

/**
 * Returns the adapter of Paystack's "Pay with Transfer". docs/providers/paystack.md says what of it is unconfirmed. Paystack opens one account for a
 * reference and does not open it again, cannot close it, and sends wrong money back by itself: late and second money without a word.
 */
export function paystackBank({ url, secretKey, domain, payerHost }: PaystackSettings): Bank {
  const call = bearerCalls(url, secretKey);

  return withCleanWords({
    name: "paystack",
    capabilities: CAPABILITIES,

    openAccount: (request) => openAccount(call, request),

    async isUp() {
      const reply = await call("GET", "/balance").catch(() => undefined);
      return reply?.status === 200;
    },

    async closeAccount() {
      return "unknown" as const;
    },

    returnTransfer: (transfer) => returnTransfer(call, transfer),

    async readAccount({ reference }): Promise<AccountReading> {
      const reply = await call("GET", `/transaction/verify/${encodeURIComponent(reference)}`).catch(() => undefined);
      const reading: AccountReading = reply ? toReading(reference, domain, reply) : { status: "unknown" };
      return reading.status === "read" ? withoutDoubt(call, reading) : reading;
    },

    async readStatement() {
      return { status: "unknown" as const };
    },

    readNotice(headers, body) {
      if (!signsBody(headers.get("x-paystack-signature"), secretKey, body)) return undefined;
      return readSigned({ domain, payerHost }, Notice.parse(JSON.parse(body)));
    },

    refunds: paystackRefunds(call),
    live: paystackLiveChecks(call, secretKey),
  });
}

async function openAccount(call: Call, { reference, amount, validForMs, payer }: AccountRequest): Promise<AccountOutcome> {
  const now = Date.now();
  try {
    const reply = await call("POST", "/charge", {
      email: payer.email,
      amount: String(amount.minor),
      reference,
      // The time of a link begins after this call. Money in its last seconds must not be late at Paystack, which sends that back without a word.
      bank_transfer: { account_expires_at: new Date(now + validForMs + TIMEOUT_MS).toISOString() },
    });
    const refusal = Refusal.safeParse(reply.body);
    if (reply.status === 400 && refusal.success && /duplicate transaction reference/i.test(refusal.data.message))
      return (await findAccount(call, reference, validForMs)) ?? { status: "exists" };
    if (isRefused(reply)) {
      log().warn({ provider: "paystack", status: reply.status, answer: refusal.data?.message }, "Paystack refused to open an account");
      return { status: "refused", reason: "The bank did not accept the request." };
    }
    return toAccount(reference, reply, { validForMs, openedAtMs: now }) ?? { status: "unknown" };
  } catch (error) {
    return wasNotSent(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
  }
}

/** Returns whether Paystack read a request and refused it. It may have taken one that it answers with 429 or 5xx, or in an unreadable way. */
const isRefused = ({ status, body }: Reply): boolean => [400, 401, 403, 422].includes(status) && Refusal.safeParse(body).success;

interface Asked {
  validForMs: number;
  /** When the account was opened; null if an earlier attempt opened it. */
  openedAtMs: number | null;
}

function toAccount(reference: string, { status, body }: Reply, { validForMs, openedAtMs }: Asked): AccountOutcome | undefined {
  const opened = Charge.safeParse(body);
  if (status !== 200 || !opened.success || opened.data.data.reference !== reference) return undefined;
  const { account_number: accountNumber, account_name: accountName, bank, account_expires_at: endsAt } = opened.data.data;
  // A link must not outlive its account: its payer would be asked for money that goes back without a word.
  if (openedAtMs !== null && endsAt.getTime() < openedAtMs + validForMs) {
    log().error({ provider: "paystack", reference, endsAt }, "Paystack opened an account that ends before its link");
    return { status: "refused", reason: "The bank's account would end too soon." };
  }
  const openedAt = new Date(openedAtMs ?? endsAt.getTime() - validForMs - TIMEOUT_MS);
  return { status: "opened", account: { accountNumber, accountName, bankName: bank.name, checkoutUrl: null, openedAt } };
}

/** Finds the account that an earlier attempt opened, if Paystack tells it. */
async function findAccount(call: Call, reference: string, validForMs: number): Promise<AccountOutcome | undefined> {
  const reply = await call("GET", `/charge/${encodeURIComponent(reference)}`).catch(() => undefined);
  return reply && toAccount(reference, reply, { validForMs, openedAtMs: null });
}

const UNCLEAR = "Paystack says that this payment was reversed, and its refunds do not say by whom. It may be a dispute.";

/**
 * Decides for a payment that reads as reversed: it is kept where our own refunds sent it back, taken back where somebody else did, and `unknown` where that
 * is not clear.
 */
async function withoutDoubt(call: Call, reading: AccountReading & { status: "read" }): Promise<AccountReading> {
  const transfers: BankNotice[] = [];
  for (const transfer of reading.transfers) {
    const { sessionId, amount, returnedBecause } = transfer;
    const why = returnedBecause === null || amount === null ? "kept" : whyGone({ amount }, await listRefunds(call, sessionId));
    if (why === "unknown") return { status: "unknown", unclear: UNCLEAR };
    transfers.push(why === "refunds" ? asKept(transfer) : transfer);
  }
  return { ...reading, transfers };
}

/** Distinguishes it from a refund by a merchant's order, whose note is our reference. */
const NOTE_OF_RETURN = "Sent back: it did not pay its link.";

/** Asks for a refund, unless there is one: Paystack would make a second. */
async function returnTransfer(call: Call, { sessionId, amount }: KeptTransfer): Promise<ReturnOutcome> {
  const stands = toReturn({ amount }, await listRefunds(call, sessionId));
  if (stands !== "none") return stands;
  const order = { transaction: sessionId, amount: String(amount.minor), merchant_note: NOTE_OF_RETURN };
  const reply = await call("POST", "/refund", order).catch(() => NO_ANSWER);
  const refund = madeRefund(reply, { sessionId, amount });
  return refund ? outcomeOfRefund(refund.status) : "unknown";
}

function readSigned(
  { domain, payerHost }: Pick<PaystackSettings, "domain" | "payerHost">,
  { event, data }: { event: string; data: object },
): NoticeOfBank {
  switch (event) {
    case "charge.success": {
      const { domain: itsDomain, status, channel, currency } = data as Partial<Record<string, string>>;
      if (itsDomain !== domain || !isTransfer({ channel: channel ?? "", currency: currency ?? "" })) return "irrelevant";
      const paid = PaidTransaction.parse(data);
      return status === "success" ? toKept(paid) : { accountToRead: paid.reference };
    }
    case "bank.transfer.rejected": {
      const { bank_transfer, customer } = RejectedTransfer.parse(data);
      const accountReference = accountOfPayer(customer.email, payerHost);
      return accountReference === undefined ? "irrelevant" : rejectionOf(bank_transfer.transaction_id, accountReference);
    }
    case "transfer.success":
    case "transfer.failed":
    case "transfer.reversed": {
      const transfer = TransferNotice.parse(data);
      return (transfer.domain ?? domain) === domain ? { payoutToRead: transfer.reference } : "irrelevant";
    }
    case "refund.pending":
    case "refund.processing":
    case "refund.processed":
    case "refund.failed":
    case "refund.needs-attention": {
      const { transaction_reference: accountReference } = RefundNotice.parse(data);
      return accountReference === null ? "irrelevant" : { refundsToRead: accountReference };
    }
    default:
      return "irrelevant";
  }
}

/** It is not known whether the amount that Paystack names is the one that was sent or the one that was due, so none is believed. */
const rejectionOf = (transactionId: string, accountReference: string): BankNotice => ({
  noticeId: `bank.transfer.rejected:${transactionId}`,
  // Not the id alone: it may be that of the transaction, which exact money can still pay.
  sessionId: `rejected:${transactionId}`,
  accountReference,
  ...{ accountNumber: null, amount: null, senderName: null, senderBank: null, senderAccountLast4: null, receivedAt: null },
  returnedBecause: "other",
});
