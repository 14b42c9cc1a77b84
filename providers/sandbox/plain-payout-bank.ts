import { z } from "zod";
import { naira, toMajorNumber, toMinorUnits } from "#lib/money.ts";
import { SECOND_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import type { PayoutBank, PayoutCapabilities, PayoutOrder, PayoutOutcome } from "../payout-bank.ts";
import { type Reply, signedCalls } from "./signed-calls.ts";

const Banks = z.object({ list: z.array(z.object({ id: z.string().min(1), label: z.string().min(1) })) });
const Beneficiary = z.object({ bank_id: z.string(), nuban: z.string(), beneficiary: z.string().min(1) });
const NoBeneficiary = z.object({ error: z.literal("NO_BENEFICIARY"), bank_id: z.string(), nuban: z.string() });
const Sent = z.object({ ref: z.string(), bank_id: z.string(), nuban: z.string(), amount_naira: z.number(), progress: z.string() });

const CAPABILITIES: PayoutCapabilities = { amount: { min: naira(50), max: naira(5_000_000) }, visibleWithinMs: 20 * SECOND_MS };

/** Returns the adapter of the payouts of the second test bank. It decides nothing at once, refuses a reference that it has had, and sends no notice. */
export function sandboxPlainPayoutBank({ url, requestSecret }: { url: string; requestSecret: string }): PayoutBank {
  const call = signedCalls(`${url}/sandbox/bank-plain`, requestSecret);
  const ask = (operation: string, body: Record<string, unknown>) => call(operation, body).catch(() => undefined);

  return withCleanWords({
    name: "sandbox-plain",
    capabilities: CAPABILITIES,

    async listBanks() {
      const reply = await ask("bank-list", {});
      const read = Banks.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success) return { status: "unknown" };
      return { status: "found", found: read.data.list.map(({ id: code, label: name }) => ({ code, name })) };
    },

    async nameAccount({ bankCode, accountNumber }) {
      const reply = await ask("beneficiary", { bank_id: bankCode, nuban: accountNumber });
      const isAbout = (said: { bank_id: string; nuban: string }) => said.bank_id === bankCode && said.nuban === accountNumber;
      const none = NoBeneficiary.safeParse(reply?.body);
      if (reply?.status === 404 && none.success && isAbout(none.data)) return { status: "not_found" };
      const read = Beneficiary.safeParse(reply?.body);
      if (reply?.status !== 200 || !read.success || !isAbout(read.data)) return { status: "unknown" };
      return { status: "found", found: { accountName: read.data.beneficiary } };
    },

    async pay(order) {
      const { reference: ref, bankCode: bank_id, accountNumber: nuban, amount, accountName: beneficiary } = order;
      try {
        const reply = await call("send", { ref, bank_id, nuban, amount_naira: toMajorNumber(amount), beneficiary });
        // A reference that the bank has had says that it has the order, and not how that ended.
        return reply.status === 400 ? { status: "failed", reason: "The bank did not take it." } : toOutcome(order, reply);
      } catch (error) {
        return wasNotSent(error) ? { status: "failed", reason: "The bank could not be reached." } : { status: "unknown" };
      }
    },

    async readPayout(order) {
      const reply = await ask("sent", { ref: order.reference });
      const isAbout = z.object({ error: z.literal("NO_REF"), ref: z.literal(order.reference) }).safeParse(reply?.body).success;
      if (reply?.status === 404 && isAbout) return { status: "not_found" };
      return reply ? toOutcome(order, reply) : { status: "unknown" };
    },
  });
}

function toOutcome({ reference, bankCode, accountNumber, amount }: PayoutOrder, { status, body }: Reply): PayoutOutcome {
  const read = Sent.safeParse(body);
  if (status !== 200 || !read.success) return { status: "unknown" };
  const { progress, ...said } = read.data;
  const isAbout =
    said.ref === reference && said.bank_id === bankCode && said.nuban === accountNumber && toMinorUnits(said.amount_naira) === amount.minor;
  if (!isAbout) return { status: "unknown" };
  switch (progress) {
    case "COMPLETED":
      return { status: "paid", sessionId: null };
    case "IN_PROGRESS":
      return { status: "pending" };
    case "DECLINED":
      return { status: "failed", reason: "The payee's bank did not take it." };
    case "SENT_BACK":
      return { status: "reversed", reason: "The payee's bank sent it back." };
    default:
      return { status: "unknown" };
  }
}
