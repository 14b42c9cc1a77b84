import { z } from "zod";
import { toMinorUnits } from "#lib/money.ts";
import { FaultOrder, orderFault, withFaults } from "../faults.ts";
import type { Operation } from "../signed-call.ts";
import { findPayout, holderOf, isPayeesBank, PAYEES_BANKS, type PayoutRow, type PayoutState, takePayout } from "./payouts.ts";

// The second bank counts Naira, refuses a reference that it has had, decides nothing at once, tells no session, and sends no notice.
const HOUSE = "sandbox-plain";

const Payee = z.object({ bank_id: z.string().max(20), nuban: z.string().regex(/^\d{10}$/) });
const Order = Payee.extend({
  ref: z.string().regex(/^[a-z0-9_-]{16,50}$/),
  amount_naira: z
    .number()
    .positive()
    .max(100_000_000)
    .transform((amount) => toMinorUnits(amount) ?? 0n),
  beneficiary: z.string().min(1).max(200),
});
const ByRef = z.object({ ref: z.string().max(100) });

const WORDS: Record<PayoutState, string> = { queued: "IN_PROGRESS", paid: "COMPLETED", failed: "DECLINED", reversed: "SENT_BACK" };

const toAnswer = ({ reference, bank_code, account_number, amount, state }: PayoutRow) => ({
  ref: reference,
  bank_id: bank_code,
  nuban: account_number,
  amount_naira: Number(amount) / 100,
  progress: WORDS[state],
});

const withUnknownWord = (body: Record<string, unknown>) => ({ ...body, progress: "PONDERING" });
const refuse = () => Response.json({ error: "NOT_TODAY" }, { status: 400 });

/** The payouts of the second test bank. */
export const plainPayoutOperations: Record<string, Operation> = {
  async "bank-list"() {
    return Response.json({ list: PAYEES_BANKS.map(({ code, name }) => ({ id: code, label: name })) });
  },
  async beneficiary(body) {
    const { bank_id, nuban } = Payee.parse(body);
    return withFaults(HOUSE, "beneficiary", nuban, {
      refuse,
      run: async () => {
        const holder = isPayeesBank(bank_id) ? holderOf(nuban) : undefined;
        return holder === undefined
          ? Response.json({ error: "NO_BENEFICIARY", bank_id, nuban }, { status: 404 })
          : Response.json({ bank_id, nuban, beneficiary: holder });
      },
    });
  },
  async send(body) {
    const { ref, bank_id, nuban, amount_naira } = Order.parse(body);
    return withFaults(HOUSE, "send", nuban, {
      refuse,
      confuse: withUnknownWord,
      run: async () => {
        const { row, isNew } = await takePayout({
          ...{ house: HOUSE, reference: ref, bank_code: bank_id, account_number: nuban, amount: amount_naira },
        });
        return isNew ? Response.json(toAnswer(row)) : Response.json({ error: "REF_USED", ref }, { status: 409 });
      },
    });
  },
  async sent(body) {
    const { ref } = ByRef.parse(body);
    const found = await findPayout(HOUSE, ref);
    return withFaults(HOUSE, "sent", found?.account_number ?? "*", {
      refuse,
      confuse: withUnknownWord,
      run: async () => (found ? Response.json(toAnswer(found)) : Response.json({ error: "NO_REF", ref }, { status: 404 })),
    });
  },
  /** Orders a fault for the next operation of a kind, for one account or for any. */
  async "payout-faults"(body) {
    await orderFault(HOUSE, FaultOrder.parse(body));
    return Response.json({});
  },
};
