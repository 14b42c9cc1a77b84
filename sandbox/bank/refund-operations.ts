import { z } from "zod";
import { withFaults } from "../faults.ts";
import type { Operation } from "../signed-call.ts";
import { sessionOf } from "./payouts.ts";
import { findRefund, type RefundRow, takeRefund } from "./refunds.ts";

const HOUSE = "sandbox";

const Order = z.object({
  reference: z.string().regex(/^[a-z0-9_-]{16,50}$/),
  session: z.string().min(1).max(100),
  kobo: z
    .string()
    .regex(/^[1-9]\d{0,14}$/)
    .transform(BigInt),
});
const ByReference = z.object({ reference: z.string().max(100) });

const toAnswer = (row: RefundRow) => ({
  reference: row.reference,
  session: row.session_id,
  kobo: String(row.amount),
  state: row.state,
  transfer: sessionOf(row),
  ...(row.state === "failed" && { reason: "The account is closed." }),
});

const refuse = () => Response.json({ error: "not_today" }, { status: 422 });

/** The refunds of the first test bank. The second has none. */
export const refundOperations: Record<string, Operation> = {
  async refund(body) {
    const { reference, session, kobo } = Order.parse(body);
    return withFaults(HOUSE, "refund", session, {
      refuse,
      run: async () => {
        const row = await takeRefund({ reference, session_id: session, amount: kobo });
        return row ? Response.json(toAnswer(row)) : Response.json({ error: "not_refundable" }, { status: 422 });
      },
    });
  },
  async "refund-state"(body) {
    const { reference } = ByReference.parse(body);
    const found = await findRefund(reference);
    return withFaults(HOUSE, "refund-state", found?.session_id ?? "*", {
      refuse,
      run: async () => (found ? Response.json(toAnswer(found)) : Response.json({ error: "no_such_refund", reference }, { status: 404 })),
    });
  },
};
