import { z } from "zod";
import { type Money, money } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import type { AccountOutcome, AccountReading, Bank, BankNotice } from "../bank.ts";
import { withCleanWords } from "../clean-words.ts";
import { isRefusedConnection, signedCalls } from "./signed-calls.ts";

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
  account_no: z.string(),
  kobo: z.string().regex(/^\d+$/),
  from: z.string().nullable(),
  // A notice that an earlier version of the sandbox queued has neither.
  from_bank: z.string().nullable().default(null),
  from_account_last4: z.string().nullable().default(null),
  made_at: z.iso.datetime(),
  sent_back: z.enum(["underpaid", "overpaid", "late", "duplicate", "recalled"]).nullable(),
});

const ReadAccount = z.object({ reference: z.string(), account_no: z.string(), transfers: z.array(Notice) });

/** Actions of a payer at the bank. In test mode the API performs them. */
interface PayerAtTheBank {
  /** Makes a transfer, and waits until the bank has sent its notice. */
  makeTransfer(transfer: {
    accountNumber: string;
    amount: Money;
    senderName: string;
    sessionId: string;
    madeAt: Date | null;
  }): Promise<"made" | "session taken">;
}

export type SandboxBank = Bank & PayerAtTheBank;

interface Connection {
  /** The base URL of the sandbox. */
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

/** Returns the adapter of the built-in test bank, which is called over HTTP like a real bank. */
export function sandboxBank({ url, requestSecret, noticeSecret }: Connection): SandboxBank {
  const call = signedCalls(`${url}/sandbox/bank`, requestSecret);

  return withCleanWords({
    name: "sandbox",

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
            providerReference: reference,
            accountNumber: account.account_no,
            accountName: account.account_title,
            bankName: account.bank,
            checkoutUrl: account.page,
            openedAt: new Date(account.opened_at),
          },
        };
      } catch (error) {
        return isRefusedConnection(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
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

    async returnTransfer(sessionId) {
      const reply = await call("returns", { session: sessionId }).catch(() => undefined);
      const isAbout = z.object({ session: z.literal(sessionId) }).safeParse(reply?.body).success;
      return reply?.status === 200 && isAbout ? "returned" : "unknown";
    },

    async readAccount(reference): Promise<AccountReading> {
      const reply = await call("account", { reference }).catch(() => undefined);
      // Another 404 comes from a proxy, or from a bank of an earlier version.
      const isAbout = z.object({ error: z.literal("no such account"), reference: z.literal(reference) }).safeParse(reply?.body).success;
      if (reply?.status === 404 && isAbout) return { status: "not_found" };
      const read = ReadAccount.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || read.data.reference !== reference) return { status: "unknown" };
      const transfers = read.data.transfers.map(toNotice);
      const isOfAccount = transfers.every(({ accountNumber }) => accountNumber === read.data.account_no);
      return isOfAccount ? { status: "read", transfers } : { status: "unknown" };
    },

    readNotice(headers, body): BankNotice | undefined {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      return toNotice(JSON.parse(body));
    },

    async makeTransfer({ accountNumber, amount, senderName, sessionId, madeAt }) {
      const reply = await call("transfers", {
        session: sessionId,
        account_no: accountNumber,
        kobo: String(amount.minor),
        from: senderName,
        made_at: madeAt ? madeAt.toISOString() : null,
      });
      if (reply.status === 409) return "session taken";
      if (reply.status !== 200) throw new Error(`the sandbox bank answered ${reply.status} to a transfer`);
      return "made";
    },
  });
}

/** Returns the notice in a payload. Throws a ZodError for any other payload. */
export function toNotice(payload: unknown): BankNotice {
  const notice = Notice.parse(payload);
  return {
    noticeId: notice.id,
    sessionId: notice.session,
    accountNumber: notice.account_no,
    amount: money(BigInt(notice.kobo), "NGN"),
    senderName: notice.from,
    senderBank: notice.from_bank,
    senderAccountLast4: notice.from_account_last4,
    receivedAt: new Date(notice.made_at),
    returnedBecause: notice.sent_back,
  };
}
