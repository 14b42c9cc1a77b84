import { z } from "zod";
import { money, naira } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import { DAY_MS, MINUTE_MS } from "#lib/time.ts";
import type {
  AccountOutcome,
  AccountReading,
  Bank,
  BankCapabilities,
  BankNotice,
  NoticeOfBank,
  StatementLine,
  StatementReading,
} from "../bank.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { makeTransferAt, type PayersTransfer } from "./make-transfer.ts";
import { sandboxRefunds } from "./refunds.ts";
import { signedCalls } from "./signed-calls.ts";

const OpenedAccount = z.object({
  reference: z.string(),
  kobo: z.string(),
  account_no: z.string(),
  account_title: z.string(),
  bank: z.string(),
  page: z.url(),
  opened_at: z.iso.datetime(),
});

const Notice = z.object({
  id: z.string(),
  session: z.string(),
  reference: z.string(),
  account_no: z.string(),
  kobo: z.string().regex(/^\d+$/),
  from: z.string().nullable(),
  // A notice that an earlier version of the sandbox queued has neither.
  from_bank: z.string().nullable().default(null),
  from_account_last4: z.string().nullable().default(null),
  made_at: z.iso.datetime(),
  sent_back: z.enum(["underpaid", "overpaid", "late", "duplicate", "recalled"]).nullable(),
});

const PayoutNotice = z.object({ payout: z.string().max(100) });
const RefundNotice = z.object({ refund_of: z.string().max(100) });

const ReadAccount = z.object({ reference: z.string(), account_no: z.string(), transfers: z.array(Notice) });

/** A test bank, at which the API plays payers. */
export interface SandboxBank extends Bank {
  makeTransfer(transfer: PayersTransfer): Promise<"made" | "session taken">;
}

interface Connection {
  /** The base URL of the sandbox. */
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

const Line = z.object({
  session: z.string().min(1),
  reference: z.string().nullable(),
  way: z.enum(["in", "out"]),
  kobo: z.string().regex(/^\d{1,15}$/),
});
const Statement = z.object({ day: z.string(), lines: z.array(Line) });

const toLine = ({ session, reference, way, kobo }: z.output<typeof Line>): StatementLine => ({
  sessionId: session,
  accountReference: reference,
  direction: way,
  amount: money(BigInt(kobo), "NGN"),
});

const CAPABILITIES: BankCapabilities = {
  validForMs: { min: MINUTE_MS, max: DAY_MS },
  amount: { min: naira(1), max: naira(100_000_000) },
  canClose: true,
  sendsBack: { underpaid: "told", overpaid: "told", late: "told", duplicate: "told" },
  canReturn: true,
  addsPayerFee: false,
  namesAccount: false,
  hasStatement: true,
};

/** Returns the adapter of the built-in test bank, which is called over HTTP like a real bank. */
export function sandboxBank({ url, requestSecret, noticeSecret }: Connection): SandboxBank {
  const call = signedCalls(`${url}/sandbox/bank`, requestSecret);

  return withCleanWords({
    name: "sandbox",
    capabilities: CAPABILITIES,

    async openAccount({ reference, amount, accountName, validForMs }): Promise<AccountOutcome> {
      try {
        const reply = await call("accounts", { reference, kobo: String(amount.minor), title: accountName, valid_for_ms: validForMs });
        if (reply.status === 422) return { status: "refused", reason: "The bank did not accept the request." };
        if (reply.status !== 200) return { status: "unknown" };
        const account = OpenedAccount.parse(reply.body);
        // An answer about another reference or amount opens no account for this request.
        if (account.reference !== reference || account.kobo !== String(amount.minor)) return { status: "unknown" };
        return {
          status: "opened",
          account: {
            accountNumber: account.account_no,
            accountName: account.account_title,
            bankName: account.bank,
            checkoutUrl: account.page,
            openedAt: new Date(account.opened_at),
          },
        };
      } catch (error) {
        return wasNotSent(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
      }
    },

    async isUp() {
      const reply = await call("health", {}).catch(() => undefined);
      return reply?.status === 200;
    },

    async closeAccount(reference) {
      const reply = await call("close", { reference }).catch(() => undefined);
      return reply?.status === 200 ? "closed" : "unknown";
    },

    async returnTransfer({ sessionId }) {
      const reply = await call("returns", { session: sessionId }).catch(() => undefined);
      const isAbout = z.object({ session: z.literal(sessionId) }).safeParse(reply?.body).success;
      return reply?.status === 200 && isAbout ? "returned" : "unknown";
    },

    async readAccount({ reference }): Promise<AccountReading> {
      const reply = await call("account", { reference }).catch(() => undefined);
      // Another 404 comes from a proxy, or from a bank of an earlier version.
      const isAbout = z.object({ error: z.literal("no such account"), reference: z.literal(reference) }).safeParse(reply?.body).success;
      if (reply?.status === 404 && isAbout) return { status: "not_found" };
      const read = ReadAccount.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || read.data.reference !== reference) return { status: "unknown" };
      const transfers = read.data.transfers.map(toNotice);
      const isOfAccount = transfers.every(
        (transfer) => transfer.accountReference === reference && transfer.accountNumber === read.data.account_no,
      );
      return isOfAccount ? { status: "read", transfers } : { status: "unknown" };
    },

    async readStatement(day): Promise<StatementReading> {
      const reply = await call("statement", { day }).catch(() => undefined);
      const read = Statement.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || read.data.day !== day) return { status: "unknown" };
      return { status: "read", lines: read.data.lines.map(toLine) };
    },

    readNotice(headers, body): NoticeOfBank | undefined {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      const payload: unknown = JSON.parse(body);
      const changed = PayoutNotice.safeParse(payload);
      if (changed.success) return { payoutToRead: changed.data.payout };
      const refunded = RefundNotice.safeParse(payload);
      return refunded.success ? { refundsToRead: refunded.data.refund_of } : toNotice(payload);
    },

    refunds: sandboxRefunds(call),
    live: null,

    makeTransfer: makeTransferAt(call),
  });
}

/** Returns the notice in a payload. Throws a ZodError for any other payload. */
export function toNotice(payload: unknown): BankNotice {
  const notice = Notice.parse(payload);
  return {
    noticeId: notice.id,
    sessionId: notice.session,
    accountReference: notice.reference,
    accountNumber: notice.account_no,
    amount: money(BigInt(notice.kobo), "NGN"),
    senderName: notice.from,
    senderBank: notice.from_bank,
    senderAccountLast4: notice.from_account_last4,
    receivedAt: new Date(notice.made_at),
    returnedBecause: notice.sent_back,
  };
}
