import { log } from "#lib/log.ts";
import { naira } from "#lib/money.ts";
import { HOUR_MS } from "#lib/time.ts";
import { bearerCalls, type Call, NO_ANSWER, type Reply } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { outcomeWithoutAnswer } from "../not-sent.ts";
import type { AccountToPay, PayoutBank, PayoutCapabilities, PayoutOrder, PayoutOutcome, Read } from "../payout-bank.ts";
import { isNotFound, Lookup, Payout, Refusal } from "./replies.ts";

/** It is not documented how soon a payout can be read. An hour is far more than it should take: until then "not found" decides nothing. */
const CAPABILITIES: PayoutCapabilities = { amount: { min: naira(100), max: naira(10_000_000) }, visibleWithinMs: HOUR_MS };

/** Squad has no list of banks, and its documentation says that it pays out to GTBank alone. */
const BANKS = [{ code: "000013", name: "Guaranty Trust Bank" }];

export interface SquadPayoutSettings {
  url: string;
  secretKey: string;
  /** Squad's name for us, with which each reference begins. */
  merchantId: string;
}

/** Returns the adapter of Squad's payouts. docs/providers/squad.md says what of it is unconfirmed. Squad tells of no payout by itself. */
export function squadPayoutBank({ url, secretKey, merchantId }: SquadPayoutSettings): PayoutBank {
  const call = bearerCalls(url, secretKey);
  const nameOf = ({ reference }: PayoutOrder) => `${merchantId}_${reference}`;

  return withCleanWords({
    name: "squad",
    capabilities: CAPABILITIES,
    async listBanks() {
      return { status: "found", found: BANKS };
    },
    nameAccount: (account) => nameAccount(call, account),
    pay: (order) => pay(call, nameOf(order), order),
    readPayout: (order) => readPayout(call, nameOf(order), order),
  });
}

/** Squad's refusals do not distinguish a wrong number from an outage, so no answer says that there is no account. */
async function nameAccount(call: Call, { bankCode, accountNumber }: AccountToPay): Promise<Read<{ accountName: string }>> {
  const body = { bank_code: bankCode, account_number: accountNumber };
  const reply = await call("POST", "/payout/account/lookup", body).catch(() => NO_ANSWER);
  const named = Lookup.safeParse(reply.body);
  if (reply.status !== 200 || !named.success || named.data.data.account_number !== accountNumber) return { status: "unknown" };
  return { status: "found", found: { accountName: named.data.data.account_name } };
}

async function pay(call: Call, transactionReference: string, order: PayoutOrder): Promise<PayoutOutcome> {
  const { amount, bankCode, accountNumber, accountName, narration } = order;
  try {
    const reply = await call("POST", "/payout/transfer", {
      ...{ transaction_reference: transactionReference, amount: String(amount.minor), bank_code: bankCode, account_number: accountNumber },
      ...{ account_name: accountName, currency_id: "NGN", remark: narration },
    });
    const outcome = toOutcome(transactionReference, order, reply, "success");
    if (outcome.status === "paid" && outcome.sessionId !== null) return outcome;
    const answer = Refusal.safeParse(reply.body).data?.message;
    log().warn({ provider: "squad", status: reply.status, answer }, "Squad did not confirm a payout");
    // Squad may refuse a repeated reference with 400, 401 or 403, which its documentation calls failures. So a refusal decides nothing.
    const reading = await readPayout(call, transactionReference, order);
    return reading.status === "not_found" ? { status: "unknown" } : reading;
  } catch (error) {
    return outcomeWithoutAnswer(error);
  }
}

async function readPayout(call: Call, transactionReference: string, order: PayoutOrder): Promise<PayoutOutcome | { status: "not_found" }> {
  const reply = await call("POST", "/payout/requery", { transaction_reference: transactionReference }).catch(() => NO_ANSWER);
  if (isNotFound(reply)) return { status: "not_found" };
  return toOutcome(transactionReference, order, reply);
}

/** Reads an answer about a payout. A word that is not here, or two that differ, decide nothing. `unsaid` is the word of an answer without one. */
function toOutcome(
  transactionReference: string,
  { amount, accountNumber }: PayoutOrder,
  { status, body }: Reply,
  unsaid?: string,
): PayoutOutcome {
  const read = Payout.safeParse(body).data?.data;
  const isAbout =
    read?.transaction_reference === transactionReference &&
    (read.amount ?? amount).minor === amount.minor &&
    (read.account_number ?? accountNumber) === accountNumber;
  if (status !== 200 || !isAbout) return { status: "unknown" };
  const words = new Set([read.transaction_status, read.status].flatMap((word) => (word ? [word.toLowerCase()] : [])));
  const [word = unsaid] = words.size > 1 ? ["differ"] : words;
  switch (word) {
    case "success":
      return { status: "paid", sessionId: read.nip_transaction_reference || null };
    case "failed":
      return { status: "failed", reason: "The payee's bank did not take it." };
    case "reversed":
      return { status: "reversed", reason: "The payee's bank sent it back." };
    case "pending":
      return { status: "pending" };
    default:
      return { status: "unknown" };
  }
}
