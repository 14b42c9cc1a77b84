import { createHash } from "node:crypto";
import type { z } from "zod";
import { log } from "#lib/log.ts";
import { naira, toMajorNumber } from "#lib/money.ts";
import { MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type {
  AccountOutcome,
  AccountReading,
  AccountRequest,
  Bank,
  BankCapabilities,
  KeptTransfer,
  NoticeOfBank,
  ReturnOutcome,
} from "../bank.ts";
import type { Call, Reply } from "../bearer-calls.ts";
import { signsBody } from "../body-signature.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { type MonnifyKeys, monnifyCalls } from "./calls.ts";
import { monnifyLiveChecks } from "./live-checks.ts";
import { agrees, isOneSource, isTransfer, toKept, toReading, toRejected } from "./map.ts";
import { monnifyRefunds, readRefundOf, requestRefund } from "./refunds.ts";
import {
  AccountNotice,
  DisbursementNotice,
  Initiated,
  isNotFound,
  Notice,
  Opened,
  Paid,
  RefundNotice,
  Rejected,
  refusalOf,
} from "./replies.ts";

/** An account is open for 40 minutes, whatever is asked. */
const OPEN_FOR_MS = 40 * MINUTE_MS;

const CAPABILITIES: BankCapabilities = {
  validForMs: { min: OPEN_FOR_MS, max: OPEN_FOR_MS },
  amount: { min: naira(100), max: naira(10_000_000) },
  canClose: false,
  sendsBack: { underpaid: "told in a notice", overpaid: "told in a notice", late: "untold", duplicate: "untold" },
  canReturn: true,
  addsPayerFee: false,
  namesAccount: true,
  hasStatement: false,
};

export interface MonnifySettings extends MonnifyKeys {
  contractCode: string;
  /** The number of our wallet at Monnify, where payouts are set up. */
  sourceAccount?: string | undefined;
}

/**
 * Returns the adapter of Monnify's bank transfers to one-time accounts. docs/providers/monnify.md says what of it is unconfirmed. Monnify opens an account in two
 * steps: a transaction under our reference, then the account of it. It does not open one twice for a reference, and cannot close it.
 */
export function monnifyBank({ contractCode, sourceAccount, ...keys }: MonnifySettings): Bank {
  const call = monnifyCalls(keys);

  return withCleanWords({
    name: "monnify",
    capabilities: CAPABILITIES,

    openAccount: (request) => openAccount(call, contractCode, request),

    async isUp() {
      const reply = await readTransaction(call, "oja-is-up");
      return reply !== undefined && (reply.status === 200 || isNotFound(reply));
    },

    async closeAccount() {
      return "unknown" as const;
    },

    returnTransfer: (transfer) => returnTransfer(call, transfer),

    async readAccount(account): Promise<AccountReading> {
      const reply = await readTransaction(call, account.reference);
      return reply ? toReading(account, reply) : { status: "unknown" };
    },

    async readStatement() {
      return { status: "unknown" as const };
    },

    readNotice(headers, body) {
      return signsBody(headers.get("monnify-signature"), keys.secretKey, body) ? readSigned(Notice.parse(JSON.parse(body))) : undefined;
    },

    refunds: monnifyRefunds(call),
    live: monnifyLiveChecks(call, keys.secretKey, sourceAccount),
  });
}

const readTransaction = (call: Call, reference: string): Promise<Reply | undefined> =>
  call("GET", `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(reference)}`).catch(() => undefined);

async function openAccount(call: Call, contractCode: string, request: AccountRequest): Promise<AccountOutcome> {
  const { reference, amount, payer } = request;
  try {
    const begun = await call("POST", "/api/v1/merchant/transactions/init-transaction", {
      ...{ amount: toMajorNumber(amount), currencyCode: "NGN", contractCode, paymentMethods: ["ACCOUNT_TRANSFER"] },
      ...{ customerName: payer.name, customerEmail: payer.email, paymentReference: reference, paymentDescription: "Payment" },
    });
    if (refusalOf(begun) !== undefined) return refused(begun);
    const transaction = Initiated.safeParse(begun.body).data?.responseBody;
    if (begun.status !== 200 || transaction?.paymentReference !== reference) return { status: "unknown" };
    const openedAt = new Date();
    const { transactionReference, checkoutUrl } = transaction;
    const opened = await call("POST", "/api/v1/merchant/bank-transfer/init-payment", { transactionReference });
    if (refusalOf(opened) !== undefined) return refused(opened);
    return toAccount(request, opened, { transactionReference, checkoutUrl, openedAt }) ?? { status: "unknown" };
  } catch (error) {
    return wasNotSent(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
  }
}

/** Monnify has a transaction with this reference, and does not tell its account again. No payer knows it. */
const TAKEN = /duplicate|already (exists|used)/i;

function refused(reply: Reply): AccountOutcome {
  const answer = refusalOf(reply) ?? "";
  log().warn({ provider: "monnify", status: reply.status, answer }, "Monnify refused to open an account");
  return TAKEN.test(answer) ? { status: "exists" } : { status: "refused", reason: "The bank did not accept the request." };
}

function toAccount(
  { reference, amount, validForMs }: AccountRequest,
  { status, body }: Reply,
  { transactionReference, checkoutUrl, openedAt }: { transactionReference: string; checkoutUrl: string | null; openedAt: Date },
): AccountOutcome | undefined {
  const opened = Opened.safeParse(body).data?.responseBody;
  const isAbout =
    opened?.amount.minor === amount.minor &&
    (opened.transactionReference ?? transactionReference) === transactionReference &&
    (opened.paymentReference ?? reference) === reference;
  if (status !== 200 || !isAbout) return undefined;
  const { accountNumber, accountName, bankName, totalPayable, accountDurationSeconds } = opened;
  if (totalPayable.minor !== amount.minor) {
    log().error({ provider: "monnify", reference }, "Monnify adds its fee to the amount. Let it charge its fee to you, in its dashboard");
    return { status: "refused", reason: "The bank adds its fee to the amount." };
  }
  // A link must not outlive its account: its payer would be asked for money that goes back.
  if (accountDurationSeconds * SECOND_MS < validForMs) {
    log().error({ provider: "monnify", reference, accountDurationSeconds }, "Monnify opened an account that ends before its link");
    return { status: "refused", reason: "The bank's account would end too soon." };
  }
  return { status: "opened", account: { accountNumber, accountName, bankName, checkoutUrl, openedAt } };
}

/** Asks for a refund of a whole transfer, under a name that is made of the transfer. Monnify makes no second refund of a name. */
async function returnTransfer(call: Call, { sessionId, amount }: KeptTransfer): Promise<ReturnOutcome> {
  const reference = `return_${createHash("sha256").update(sessionId).digest("hex").slice(0, 32)}`;
  const order = { reference, transactionReference: sessionId, amount };
  const before = await readRefundOf(call, order);
  const unclear = { status: "unknown" } as const;
  const outcome = before.status === "not_found" ? await requestRefund(call, order, "It did not pay its link").catch(() => unclear) : before;
  switch (outcome.status) {
    case "paid":
      return "returned";
    case "pending":
    case "failed":
      return outcome.status;
    default:
      return "unknown";
  }
}

function readSigned({ eventType, eventData }: { eventType: string; eventData: object }): NoticeOfBank {
  switch (eventType) {
    case "SUCCESSFUL_TRANSACTION":
      return readPaid(eventData);
    case "REJECTED_PAYMENT":
      return readRejected(Rejected.parse(eventData));
    case "SUCCESSFUL_DISBURSEMENT":
    case "FAILED_DISBURSEMENT":
    case "REVERSED_DISBURSEMENT":
      return { payoutToRead: DisbursementNotice.parse(eventData).reference };
    case "SUCCESSFUL_REFUND":
    case "FAILED_REFUND":
      return { refundToRead: RefundNotice.parse(eventData).refundReference };
    default:
      return "irrelevant";
  }
}

/** Money of the right amount has no reason to go back. It may be the payment itself, so its account is read. */
function readRejected(rejected: z.output<typeof Rejected>): NoticeOfBank {
  const [source] = rejected.paymentSourceInformation;
  const { expectedAmount } = rejected.paymentRejectionInformation;
  return source?.amountPaid.minor === expectedAmount.minor ? { accountToRead: rejected.paymentReference } : toRejected(rejected);
}

/** Only one exact payment, of one source, is a statement. A notice of anything else, also one in another shape, makes us read. */
function readPaid(eventData: object): NoticeOfBank {
  const { paymentMethod, currency } = eventData as Partial<Record<string, string>>;
  if (!isTransfer({ paymentMethod, currency })) return "irrelevant";
  const paid = Paid.safeParse(eventData);
  const isExact = paid.success && paid.data.paymentStatus === "PAID" && isOneSource(paid.data) && agrees(paid.data, paid.data.totalPayable);
  return isExact ? toKept(paid.data) : { accountToRead: AccountNotice.parse(eventData).paymentReference };
}
