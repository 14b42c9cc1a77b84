import { log } from "#lib/log.ts";
import { naira, toMajorNumber } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { type Call, NO_ANSWER, type Reply } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { outcomeWithoutAnswer } from "../not-sent.ts";
import type { AccountToPay, BankInList, PayoutBank, PayoutCapabilities, PayoutOrder, PayoutOutcome, Read } from "../payout-bank.ts";
import { type MonnifyKeys, monnifyCalls } from "./calls.ts";
import { Banks, Disbursement, isNotFound, refusalOf, ValidatedAccount } from "./replies.ts";

/** It is not documented how soon a payout can be read. An hour is far more than it should take: until then "not found" decides nothing. */
const CAPABILITIES: PayoutCapabilities = { amount: { min: naira(100), max: naira(10_000_000) }, visibleWithinMs: HOUR_MS };

export interface MonnifyPayoutSettings extends MonnifyKeys {
  /** The number of our wallet at Monnify, which pays. */
  sourceAccount: string;
}

/** Returns the adapter of Monnify's single transfers. docs/providers/monnify.md says what of it is unconfirmed. */
export function monnifyPayoutBank({ sourceAccount, ...keys }: MonnifyPayoutSettings): PayoutBank {
  const call = monnifyCalls(keys);

  return withCleanWords({
    name: "monnify",
    capabilities: CAPABILITIES,
    listBanks: () => listBanks(call),
    nameAccount: (account) => nameAccount(call, account),
    pay: (order) => pay(call, sourceAccount, order),
    readPayout: (order) => readPayout(call, order),
  });
}

const ask = (call: Call, path: string): Promise<Reply> => call("GET", path).catch(() => NO_ANSWER);

async function listBanks(call: Call): Promise<Read<BankInList[]>> {
  const reply = await ask(call, "/api/v1/banks");
  const read = Banks.safeParse(reply.body);
  if (reply.status !== 200 || !read.success) return { status: "unknown" };
  const banks = new Map(read.data.responseBody.map(({ code, name }) => [code, { code, name }]));
  return { status: "found", found: [...banks.values()] };
}

/** Monnify answers alike for a number without an account and for a bank that does not answer it, so no answer says that there is no account. */
async function nameAccount(call: Call, { bankCode, accountNumber }: AccountToPay): Promise<Read<{ accountName: string }>> {
  const query = new URLSearchParams({ accountNumber, bankCode });
  const reply = await ask(call, `/api/v1/disbursements/account/validate?${query}`);
  const named = ValidatedAccount.safeParse(reply.body).data?.responseBody;
  if (reply.status !== 200 || named?.accountNumber !== accountNumber) return { status: "unknown" };
  return { status: "found", found: { accountName: named.accountName } };
}

async function pay(call: Call, sourceAccountNumber: string, order: PayoutOrder): Promise<PayoutOutcome> {
  const { reference, amount, bankCode, accountNumber, accountName, narration } = order;
  try {
    const reply = await call("POST", "/api/v2/disbursements/single", {
      ...{ amount: toMajorNumber(amount), reference, narration, destinationBankCode: bankCode, destinationAccountNumber: accountNumber },
      ...{ destinationAccountName: accountName, currency: "NGN", sourceAccountNumber },
    });
    const outcome = toOutcome(order, reply);
    if (outcome.status !== "unknown") return outcome;
    log().error({ provider: "monnify", reference, status: reply.status, answer: refusalOf(reply) }, "Monnify did not confirm a payout");
    // Monnify may refuse a repeated reference with words that are not documented. So a refusal decides nothing.
    const reading = await readPayout(call, order);
    return reading.status === "not_found" ? { status: "unknown" } : reading;
  } catch (error) {
    return outcomeWithoutAnswer(error);
  }
}

async function readPayout(call: Call, order: PayoutOrder): Promise<PayoutOutcome | { status: "not_found" }> {
  const reply = await ask(call, `/api/v2/disbursements/single/summary?reference=${encodeURIComponent(order.reference)}`);
  return isNotFound(reply) ? { status: "not_found" } : toOutcome(order, reply);
}

/** Reads an answer about a payout. A status that is not here leaves it undecided. */
function toOutcome({ reference, amount, accountNumber }: PayoutOrder, { status, body }: Reply): PayoutOutcome {
  const payout = Disbursement.safeParse(body).data?.responseBody;
  const isAbout =
    payout?.reference === reference &&
    payout.amount.minor === amount.minor &&
    (payout.destinationAccountNumber ?? accountNumber) === accountNumber &&
    (payout.currency ?? "NGN") === "NGN";
  if (status !== 200 || !isAbout) return { status: "unknown" };
  switch (payout.status) {
    case "SUCCESS":
      return { status: "paid", sessionId: payout.sessionId || null };
    case "FAILED":
      return { status: "failed", reason: "The bank did not make it." };
    case "EXPIRED":
      return { status: "failed", reason: "The bank gave it up." };
    case "REVERSED":
      return { status: "reversed", reason: "The payee's bank sent it back." };
    case "PENDING_AUTHORIZATION":
    case "OTP_EMAIL_DISPATCH_FAILED":
      return { status: "pending", needs: "Turn the one-time passwords for transfers off in Monnify, and authorise this one there." };
    default:
      return { status: "pending" };
  }
}
