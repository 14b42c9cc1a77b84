import { log } from "#lib/log.ts";
import { naira } from "#lib/money.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { bearerCalls, type Call, NO_ANSWER, type Reply, TIMEOUT_MS } from "../bearer-calls.ts";
import { withCleanWords } from "../clean-words.ts";
import { outcomeWithoutAnswer } from "../not-sent.ts";
import type { AccountToPay, BankInList, PayoutBank, PayoutCapabilities, PayoutOrder, PayoutOutcome, Read } from "../payout-bank.ts";
import type { Domain } from "./map.ts";
import { isDuplicate, isTransferNotFound, toPayoutOutcome, toRefusal } from "./payout-map.ts";
import { Banks, Recipient, ResolvedAccount } from "./payout-replies.ts";

const CAPABILITIES: PayoutCapabilities = { amount: { min: naira(100), max: naira(10_000_000) }, visibleWithinMs: MINUTE_MS };

export interface PaystackPayoutSettings {
  url: string;
  secretKey: string;
  domain: Domain;
}

/**
 * Returns the adapter of Paystack's transfers. docs/providers/paystack.md says what of it is unconfirmed. An order takes two calls: the account is made
 * a recipient, which moves nothing, and then the transfer is ordered.
 */
export function paystackPayoutBank({ url, secretKey, domain }: PaystackPayoutSettings): PayoutBank {
  const call = bearerCalls(url, secretKey);

  return withCleanWords({
    name: "paystack",
    capabilities: CAPABILITIES,
    listBanks: () => listBanks(call),
    nameAccount: (account) => nameAccount(call, account),
    pay: (order) => pay(call, domain, order),
    readPayout: (order) => readPayout(call, domain, order),
  });
}

const ask = (call: Call, path: string): Promise<Reply> => call("GET", path).catch(() => NO_ANSWER);

/** More pages than there are banks, so that a cursor that leads nowhere ends. */
const MAX_PAGES = 20;

async function listBanks(call: Call): Promise<Read<BankInList[]>> {
  const banks = new Map<string, BankInList>();
  let next: string | null | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const cursor = next ? `&next=${encodeURIComponent(next)}` : "";
    const reply = await ask(call, `/bank?country=nigeria&perPage=100&use_cursor=true${cursor}`);
    const read = Banks.safeParse(reply.body);
    // A part of the list would hide banks from people.
    if (reply.status !== 200 || !read.success) return { status: "unknown" };
    for (const { code, name, active } of read.data.data) if (active !== false) banks.set(code, { code, name });
    next = read.data.meta?.next;
    if (!next) return { status: "found", found: [...banks.values()] };
  }
  return { status: "unknown" };
}

/** Paystack answers alike for a number without an account and for a bank that does not answer it, so no answer says that there is no account. */
async function nameAccount(call: Call, { bankCode, accountNumber }: AccountToPay): Promise<Read<{ accountName: string }>> {
  const query = new URLSearchParams({ account_number: accountNumber, bank_code: bankCode });
  const reply = await ask(call, `/bank/resolve?${query}`);
  const named = ResolvedAccount.safeParse(reply.body);
  if (reply.status !== 200 || !named.success || named.data.data.account_number !== accountNumber) return { status: "unknown" };
  return { status: "found", found: { accountName: named.data.data.account_name } };
}

/** A transfer is ordered within this time from the begin, so that it ends within the time of any order (services/payouts/schedule.ts). */
const MAX_BEFORE_ORDER_MS = 2_000 + TIMEOUT_MS;

async function pay(call: Call, domain: Domain, order: PayoutOrder): Promise<PayoutOutcome> {
  const elapsedMs = startStopwatch();
  const recipient = await makeRecipient(call, order);
  // No transfer was ordered, so nothing is paid, whatever became of the recipient.
  if (recipient === undefined) return { status: "failed", reason: "The bank did not take the account." };
  if (elapsedMs() > MAX_BEFORE_ORDER_MS) return { status: "failed", reason: "The bank took too long." };
  const { reference, amount, narration: reason } = order;
  try {
    const reply = await call("POST", "/transfer", { source: "balance", amount: Number(amount.minor), recipient, reference, reason });
    // Paystack has this transfer. Its answer is that of an earlier order, which may have ended either way.
    if (isDuplicate(reply)) return await readAgain(call, domain, order);
    const refusal = toRefusal(reply);
    if (!refusal) return toPayoutOutcome(order, domain, reply);
    log().error({ provider: "paystack", reference, status: reply.status, answer: refusal }, "Paystack refused a transfer");
    // The words of refusals are not a promise, and a transfer can be read only a while later. So the worker decides, which reads it then.
    return { status: "unknown" };
  } catch (error) {
    return outcomeWithoutAnswer(error);
  }
}

/** Returns the code of an account as a recipient: the same for the same account. Undefined where Paystack gave none, or one of another account. */
async function makeRecipient(call: Call, { accountName: name, accountNumber, bankCode }: PayoutOrder): Promise<string | undefined> {
  const account = { type: "nuban", name, account_number: accountNumber, bank_code: bankCode, currency: "NGN" };
  const reply = await call("POST", "/transferrecipient", account).catch(() => NO_ANSWER);
  const made = Recipient.safeParse(reply.body);
  const isAccount = (details: { account_number: string; bank_code: string }) =>
    details.account_number === accountNumber && details.bank_code === bankCode;
  const isMade = (reply.status === 200 || reply.status === 201) && made.success && isAccount(made.data.data.details);
  if (!isMade) log().error({ provider: "paystack", status: reply.status, answer: toRefusal(reply) }, "Paystack did not make a recipient");
  return isMade ? made.data.data.recipient_code : undefined;
}

async function readPayout(call: Call, domain: Domain, order: PayoutOrder): Promise<PayoutOutcome | { status: "not_found" }> {
  const reply = await ask(call, `/transfer/verify/${encodeURIComponent(order.reference)}`);
  return isTransferNotFound(reply) ? { status: "not_found" } : toPayoutOutcome(order, domain, reply);
}

/** A transfer that Paystack says it has, and does not find, is not decided. */
async function readAgain(call: Call, domain: Domain, order: PayoutOrder): Promise<PayoutOutcome> {
  const reading = await readPayout(call, domain, order);
  return reading.status === "not_found" ? { status: "unknown" } : reading;
}
