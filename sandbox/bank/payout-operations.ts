import { z } from "zod";
import { FaultOrder, orderFault, withFaults } from "../faults.ts";
import type { Operation } from "../signed-call.ts";
import { findPayout, holderOf, isPayeesBank, PAYEES_BANKS, type PayoutRow, sessionOf, takePayout } from "./payouts.ts";

const HOUSE = "sandbox";

const Account = z.object({ bank: z.string().max(20), account_no: z.string().regex(/^\d{10}$/) });
const Order = Account.extend({
  reference: z.string().regex(/^[a-z0-9_-]{16,50}$/),
  kobo: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(BigInt),
  to: z.string().min(1).max(200),
  narration: z.string().max(100),
});
const ByReference = z.object({ reference: z.string().max(100) });

const REASON = "The account is closed.";

const toAnswer = (row: PayoutRow) => ({
  reference: row.reference,
  bank: row.bank_code,
  account_no: row.account_number,
  kobo: String(row.amount),
  state: row.state,
  session: sessionOf(row),
  ...(row.state === "failed" && { reason: REASON }),
});

const refuse = () => Response.json({ error: "not_today" }, { status: 422 });

/** The payouts of the first test bank. */
export const payoutOperations: Record<string, Operation> = {
  async banks() {
    return Response.json({ banks: PAYEES_BANKS });
  },
  async holder(body) {
    const { bank, account_no } = Account.parse(body);
    return withFaults(HOUSE, "holder", account_no, {
      refuse,
      run: async () => {
        const holder = isPayeesBank(bank) ? holderOf(account_no) : undefined;
        return holder === undefined
          ? Response.json({ error: "no_such_account", bank, account_no }, { status: 404 })
          : Response.json({ bank, account_no, holder });
      },
    });
  },
  async pay(body) {
    const { reference, bank, account_no, kobo } = Order.parse(body);
    return withFaults(HOUSE, "pay", account_no, {
      refuse,
      run: async () => {
        const { row } = await takePayout({ house: HOUSE, reference, bank_code: bank, account_number: account_no, amount: kobo });
        return Response.json(toAnswer(row));
      },
    });
  },
  async payout(body) {
    const { reference } = ByReference.parse(body);
    const found = await findPayout(HOUSE, reference);
    return withFaults(HOUSE, "payout", found?.account_number ?? "*", {
      refuse,
      run: async () => (found ? Response.json(toAnswer(found)) : Response.json({ error: "no_such_payout", reference }, { status: 404 })),
    });
  },
  /** Orders a fault for the next operation of a kind, for one account or for any. */
  async "payout-faults"(body) {
    await orderFault(HOUSE, FaultOrder.parse(body));
    return Response.json({});
  },
};
