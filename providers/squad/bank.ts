import { log } from "#lib/log.ts";
import { naira } from "#lib/money.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "#lib/time.ts";
import type { AccountOutcome, AccountReading, AccountRequest, AccountToRead, Bank, BankCapabilities, BankNotice } from "../bank.ts";
import { bearerCalls, type Call, type Reply, TIMEOUT_MS } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import { squadLiveChecks } from "./live-checks.ts";
import { Initiated, isNotFound, Notice, Refusal, Requery, type Row } from "./replies.ts";
import { isFromSquad } from "./signature.ts";

const CAPABILITIES: BankCapabilities = {
  validForMs: { min: MINUTE_MS, max: DAY_MS },
  amount: { min: naira(100), max: naira(10_000_000) },
  canClose: false,
  sendsBack: { underpaid: "told in part", overpaid: "told in part", late: "told in part", duplicate: "told in part" },
  canReturn: false,
  addsPayerFee: false,
  namesAccount: true,
  hasStatement: false,
};

export interface SquadSettings {
  url: string;
  secretKey: string;
}

/**
 * Returns the adapter of Squad's dynamic virtual accounts. docs/providers/squad.md says what of it is unconfirmed. An account is one of a pool, whose number
 * is given again. Squad signs neither status nor time of a notice, so a notice only makes us read the account; and a reading tells no amount, so only the
 * transfer that Squad calls exact has one: that of the account.
 */
export function squadBank({ url, secretKey }: SquadSettings): Bank {
  const call = bearerCalls(url, secretKey);

  return withCleanWords({
    name: "squad",
    capabilities: CAPABILITIES,

    openAccount: (request) => openAccount(call, request),

    async isUp() {
      const reply = await call("GET", "/merchant/balance?currency_id=NGN").catch(() => undefined);
      return reply?.status === 200;
    },

    async closeAccount() {
      return "unknown" as const;
    },

    async returnTransfer() {
      return "unknown" as const;
    },

    async readAccount(account): Promise<AccountReading> {
      const path = `/virtual-account/get-dynamic-virtual-account-transactions/${encodeURIComponent(account.reference)}`;
      const reply = await call("GET", path).catch(() => undefined);
      return reply ? toReading(account, reply) : { status: "unknown" };
    },

    async readStatement() {
      return { status: "unknown" as const };
    },

    readNotice(headers, body) {
      const notice = parsed(body);
      if (!notice || !isFromSquad(secretKey, notice, headers.get("x-squad-encrypted-body"))) return undefined;
      return (notice.transaction_type ?? "dynamic_virtual_account") === "dynamic_virtual_account"
        ? { accountToRead: notice.merchant_reference }
        : "irrelevant";
    },

    refunds: null,
    live: squadLiveChecks(call, secretKey),
  });
}

/** Returns the signed fields of a notice, or undefined for a body that has none: a notice of another product signs its whole body. */
function parsed(body: string) {
  try {
    return Notice.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

async function openAccount(call: Call, request: AccountRequest): Promise<AccountOutcome> {
  const { reference, amount, validForMs, payer } = request;
  const now = Date.now();
  try {
    const reply = await call("POST", "/virtual-account/initiate-dynamic-virtual-account", {
      amount: Number(amount.minor),
      // The time of a link begins after this call. Money in its last seconds must not be late at Squad.
      duration: Math.ceil((validForMs + TIMEOUT_MS) / SECOND_MS),
      email: payer.email,
      transaction_ref: reference,
    });
    const refusal = Refusal.safeParse(reply.body);
    if (refusal.success && reply.status >= 400 && reply.status < 500 && reply.status !== 429) return refused(reply, refusal.data.message);
    return toAccount(request, reply, now) ?? { status: "unknown" };
  } catch (error) {
    return wasNotSent(error) ? { status: "refused", reason: "The bank could not be reached." } : { status: "unknown" };
  }
}

const TAKEN = /(duplicate|already).*reference|reference.*(duplicate|already|used|exists)/i;

/** It is not documented how a repeated reference is refused. The number of its account is not told again. */
function refused({ status }: Reply, message: string): AccountOutcome {
  log().warn({ provider: "squad", status, answer: message }, "Squad refused to open an account");
  if (TAKEN.test(message)) return { status: "exists" };
  return { status: "refused", reason: "The bank did not accept the request." };
}

function toAccount({ reference, amount, validForMs }: AccountRequest, { status, body }: Reply, now: number): AccountOutcome | undefined {
  const opened = Initiated.safeParse(body);
  if (status !== 200 || !opened.success) return undefined;
  const { data } = opened.data;
  const isAbout = data.transaction_reference === reference && data.expected_amount.minor === amount.minor && data.currency === "NGN";
  if (!isAbout || data.is_blocked === true) return undefined;
  // A link must not outlive its account: its payer would be asked for money that goes back.
  if (data.expires_at.getTime() < now + validForMs) {
    log().error({ provider: "squad", reference, endsAt: data.expires_at }, "Squad opened an account that ends before its link");
    return { status: "refused", reason: "The bank's account would end too soon." };
  }
  const { account_number: accountNumber, account_name: accountName, bank: bankName } = data;
  return { status: "opened", account: { accountNumber, accountName, bankName, checkoutUrl: null, openedAt: new Date(now) } };
}

function toReading(account: AccountToRead, reply: Reply): AccountReading {
  if (isNotFound(reply)) return { status: "not_found" };
  const read = Requery.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return { status: "unknown" };
  const { count, rows } = read.data.data;
  if (count !== rows.length || rows.some((row) => row.transaction_reference !== account.reference)) return { status: "unknown" };
  const transfers = rows.map((row) => toTransfer(account, row));
  const paid = rows.filter((row) => row.transaction_status === "SUCCESS");
  // Only the first exact transfer in time is one. A payment that Squad sends back is a recall, or a mistake.
  if (paid.length > 1 || paid.some(({ refund }) => refund === true)) return { status: "unknown", unclear: UNCLEAR };
  return transfers.every((transfer) => transfer !== undefined) ? { status: "read", transfers } : { status: "unknown" };
}

const UNCLEAR = "Squad says that an account was paid twice, or that a payment of it goes back.";

/** What became of a transfer, by its status. A status that is not here is unknown. */
const REASONS: Record<string, BankNotice["returnedBecause"]> = { SUCCESS: null, MISMATCH: "other", EXPIRED: "late_or_duplicate" };

/**
 * Returns a transfer. Squad gives it no name. An account is paid once, so the account names the transfer that paid it, also if Squad should tell another
 * time of it later. Others, which move no money here, are named by their time.
 */
function toTransfer(
  { reference, amount }: AccountToRead,
  { transaction_status: word, created_at: receivedAt }: Row,
): BankNotice | undefined {
  if (!Object.hasOwn(REASONS, word)) return undefined;
  const returnedBecause = REASONS[word] ?? null;
  const sessionId = `${reference}:${returnedBecause === null ? "paid" : receivedAt.getTime()}`;
  return {
    ...{ noticeId: `${sessionId}:${word}`, sessionId, accountReference: reference, accountNumber: null },
    amount: returnedBecause === null ? amount : null,
    ...{ senderName: null, senderBank: null, senderAccountLast4: null, receivedAt, returnedBecause },
  };
}
