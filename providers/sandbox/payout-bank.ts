import { z } from "zod";
import { naira } from "#lib/money.ts";
import { SECOND_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import type { PayoutBank, PayoutCapabilities, PayoutOrder, PayoutOutcome } from "../payout-bank.ts";
import { type Reply, signedCalls } from "./signed-calls.ts";

const Banks = z.object({ banks: z.array(z.object({ code: z.string().min(1), name: z.string().min(1) })) });
const Holder = z.object({ bank: z.string(), account_no: z.string(), holder: z.string().min(1) });
const NoAccount = z.object({ error: z.literal("no_such_account"), bank: z.string(), account_no: z.string() });
const Payout = z.object({
  reference: z.string(),
  bank: z.string(),
  account_no: z.string(),
  kobo: z.string(),
  state: z.string(),
  session: z.string().nullable(),
  reason: z.string().optional(),
});

const CAPABILITIES: PayoutCapabilities = { amount: { min: naira(100), max: naira(10_000_000) }, visibleWithinMs: 10 * SECOND_MS };

/** Returns the adapter of the payouts of the built-in test bank, which is called over HTTP like a real bank. */
export function sandboxPayoutBank({ url, requestSecret }: { url: string; requestSecret: string }): PayoutBank {
  const call = signedCalls(`${url}/sandbox/bank`, requestSecret);
  const ask = (operation: string, body: Record<string, unknown>) => call(operation, body).catch(() => undefined);

  return withCleanWords({
    name: "sandbox",
    capabilities: CAPABILITIES,

    async listBanks() {
      const reply = await ask("banks", {});
      const read = Banks.safeParse(reply?.body);
      return reply?.status === 200 && read.success ? { status: "found", found: read.data.banks } : { status: "unknown" };
    },

    async nameAccount({ bankCode, accountNumber }) {
      const reply = await ask("holder", { bank: bankCode, account_no: accountNumber });
      const isAbout = (said: { bank: string; account_no: string }) => said.bank === bankCode && said.account_no === accountNumber;
      const none = NoAccount.safeParse(reply?.body);
      if (reply?.status === 404 && none.success && isAbout(none.data)) return { status: "not_found" };
      const read = Holder.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || !isAbout(read.data)) return { status: "unknown" };
      return { status: "found", found: { accountName: read.data.holder } };
    },

    async pay(order) {
      const { reference, bankCode: bank, accountNumber: account_no, amount, accountName: to, narration } = order;
      try {
        const reply = await call("pay", { reference, bank, account_no, kobo: String(amount.minor), to, narration });
        return reply.status === 422 ? { status: "failed", reason: "The bank did not take it." } : toOutcome(order, reply);
      } catch (error) {
        return wasNotSent(error) ? { status: "failed", reason: "The bank could not be reached." } : { status: "unknown" };
      }
    },

    async readPayout(order) {
      const reply = await ask("payout", { reference: order.reference });
      const isAbout = z
        .object({ error: z.literal("no_such_payout"), reference: z.literal(order.reference) })
        .safeParse(reply?.body).success;
      if (reply?.status === 404 && isAbout) return { status: "not_found" };
      return reply ? toOutcome(order, reply) : { status: "unknown" };
    },
  });
}

function toOutcome({ reference, bankCode, accountNumber, amount }: PayoutOrder, { status, body }: Reply): PayoutOutcome {
  const read = Payout.safeParse(body);
  if (status !== 200 || !read.success) return { status: "unknown" };
  const { state, session, reason, ...said } = read.data;
  const isAbout =
    said.reference === reference && said.bank === bankCode && said.account_no === accountNumber && said.kobo === String(amount.minor);
  return isAbout ? outcomeOfState(state, session, reason) : { status: "unknown" };
}

/** Returns the outcome of a payout or refund that the bank has in this state. */
export function outcomeOfState(state: string, session: string | null, reason: string | undefined): PayoutOutcome {
  switch (state) {
    case "paid":
      return { status: "paid", sessionId: session };
    case "queued":
      return { status: "pending" };
    case "failed":
      return { status: "failed", reason: reason ?? "The bank did not say why." };
    case "reversed":
      return { status: "reversed", reason: "The bank sent it back." };
    default:
      return { status: "unknown" };
  }
}
