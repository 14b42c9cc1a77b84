import { z } from "zod";
import { money, naira, toMajorNumber, toMinorUnits } from "#lib/money.ts";
import { isSigned } from "#lib/signature.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { AccountOutcome, AccountReading, BankCapabilities, BankNotice, ReturnOutcome } from "../bank.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import type { SandboxBank } from "./bank.ts";
import { makeTransferAt } from "./make-transfer.ts";
import { signedCalls } from "./signed-calls.ts";

const OpenedAccount = z.object({
  ref: z.string(),
  number: z.string().regex(/^\d{10}$/),
  holder: z.string().min(1),
  bank_label: z.string().min(1),
  amount_naira: z.number(),
});

/** Naira, as a text with two decimals. */
const nairaText = z
  .string()
  .regex(/^\d{1,12}\.\d\d$/)
  .transform((text) => money(BigInt(text.replace(".", "")), "NGN"));

const Movement = z.object({
  movement_id: z.string().min(1),
  amount_naira: nairaText,
  epoch_s: z.number().int().positive(),
  state: z.enum(["KEPT", "TOO_LITTLE", "TOO_MUCH", "TAKEN_BACK"]),
});
const Movements = z.object({ ref: z.string(), movements: z.array(Movement) });

const REASONS = { KEPT: null, TOO_LITTLE: "underpaid", TOO_MUCH: "overpaid", TAKEN_BACK: "recalled" } as const;

const Refund = z.object({
  movement_id: z.string(),
  amount_naira: z.number(),
  refund: z.enum(["QUEUED", "DONE", "FAILED", "DETAILS_WANTED"]),
});
const REFUNDS = { QUEUED: "pending", DONE: "returned", FAILED: "failed", DETAILS_WANTED: "needs_details" } as const;

const Notice = z.object({ event: z.string(), ref: z.string().max(100).optional() });

const CAPABILITIES: BankCapabilities = {
  validForMs: { min: 15 * MINUTE_MS, max: 8 * HOUR_MS },
  amount: { min: naira(100), max: naira(5_000_000) },
  canClose: false,
  sendsBack: { underpaid: "told", overpaid: "told", late: "untold", duplicate: "untold" },
  canReturn: true,
  addsPayerFee: false,
  namesAccount: true,
  hasStatement: false,
};

interface Connection {
  url: string;
  requestSecret: string;
  noticeSecret: string;
}

/**
 * Returns the adapter of the second test bank. That bank tells the number of an account once, cannot close it, and sends late and second money
 * back without a word. Each of its notices is only a hint to read an account. It counts Naira and whole seconds, and tells no sender.
 */
export function sandboxPlainBank({ url, requestSecret, noticeSecret }: Connection): SandboxBank {
  const call = signedCalls(`${url}/sandbox/bank-plain`, requestSecret);
  const tryCall = (operation: string, body: Record<string, unknown>) => call(operation, body).catch(() => undefined);

  return withCleanWords({
    name: "sandbox-plain",
    capabilities: CAPABILITIES,

    async openAccount({ reference, amount, validForMs, payer }): Promise<AccountOutcome> {
      // A minute more than the link, whose time begins after this call: money in its last seconds is then kept, and we judge it.
      const minutes = Math.ceil(validForMs / MINUTE_MS) + 1;
      const openedAt = new Date();
      try {
        const reply = await call("open", { ref: reference, amount_naira: toMajorNumber(amount), minutes, customer: payer });
        if (reply.status === 422) return { status: "refused", reason: "The bank did not accept the request." };
        const isUsed = z.object({ error: z.literal("REF_USED"), ref: z.literal(reference) }).safeParse(reply.body).success;
        if (reply.status === 409 && isUsed) return { status: "exists" };
        if (reply.status !== 200) return { status: "unknown" };
        const account = OpenedAccount.parse(reply.body);
        if (account.ref !== reference || toMinorUnits(account.amount_naira) !== amount.minor) return { status: "unknown" };
        const { number: accountNumber, holder: accountName, bank_label: bankName } = account;
        return { status: "opened", account: { accountNumber, accountName, bankName, checkoutUrl: null, openedAt } };
      } catch (error) {
        return wasNotSent(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
      }
    },

    async isUp() {
      return (await tryCall("ping", {}))?.status === 200;
    },

    async closeAccount() {
      return "unknown" as const;
    },

    async returnTransfer({ sessionId, amount }): Promise<ReturnOutcome> {
      const reply = await tryCall("refund", { movement_id: sessionId, amount_naira: toMajorNumber(amount) });
      const refund = Refund.safeParse(reply?.body);
      if (reply?.status !== 200 || !refund.success) return "unknown";
      const isAbout = refund.data.movement_id === sessionId && toMinorUnits(refund.data.amount_naira) === amount.minor;
      return isAbout ? REFUNDS[refund.data.refund] : "unknown";
    },

    async readAccount({ reference }): Promise<AccountReading> {
      const reply = await tryCall("movements", { ref: reference });
      const isAbout = z.object({ error: z.literal("NO_REF"), ref: z.literal(reference) }).safeParse(reply?.body).success;
      if (reply?.status === 404 && isAbout) return { status: "not_found" };
      const read = Movements.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || read.data.ref !== reference) return { status: "unknown" };
      return { status: "read", transfers: read.data.movements.map((movement) => toNotice(reference, movement)) };
    },

    async readStatement() {
      return { status: "unknown" as const };
    },

    readNotice(headers, body) {
      if (!isSigned(noticeSecret, body, headers.get("x-sandbox-signature"))) return undefined;
      const { event, ref } = Notice.parse(JSON.parse(body));
      return event === "account.changed" && ref ? { accountToRead: ref } : "irrelevant";
    },

    refunds: null,
    live: null,

    makeTransfer: makeTransferAt(call),
  });
}

const toNotice = (reference: string, { movement_id, amount_naira, epoch_s, state }: z.output<typeof Movement>): BankNotice => ({
  noticeId: `${movement_id}:${state}`,
  sessionId: movement_id,
  accountReference: reference,
  accountNumber: null,
  amount: amount_naira,
  ...{ senderName: null, senderBank: null, senderAccountLast4: null },
  receivedAt: new Date(epoch_s * SECOND_MS),
  returnedBecause: REASONS[state],
});
