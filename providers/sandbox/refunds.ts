import { z } from "zod";
import { MINUTE_MS } from "#lib/time.ts";
import { withCleanWords } from "../clean-words.ts";
import { wasNotSent } from "../not-sent.ts";
import type { RefundOrder, RefundOutcome, Refunds } from "../refunds.ts";
import { outcomeOfState } from "./payout-bank.ts";
import type { Call, Reply } from "./signed-calls.ts";

const Refund = z.object({
  reference: z.string(),
  session: z.string(),
  kobo: z.string(),
  state: z.string(),
  transfer: z.string().nullable(),
  reason: z.string().optional(),
});

/** Returns the refunds of the first test bank. It does an order at once or later, and repeats its answer for a repeated reference. */
export function sandboxRefunds(call: Call): Refunds {
  return withCleanWords({
    visibleWithinMs: MINUTE_MS,

    async refund(order) {
      const { reference, sessionId, amount } = order;
      try {
        const reply = await call("refund", { reference, session: sessionId, kobo: String(amount.minor) });
        const isRefused = reply.status === 422 && z.object({ error: z.literal("not_refundable") }).safeParse(reply.body).success;
        return isRefused ? { status: "failed", reason: "The bank did not accept the refund." } : toOutcome(order, reply);
      } catch (error) {
        return wasNotSent(error) ? { status: "failed", reason: "The bank could not be reached." } : { status: "unknown" };
      }
    },

    async readRefund(order) {
      const reply = await call("refund-state", { reference: order.reference }).catch(() => undefined);
      if (!reply) return { status: "unknown" };
      const missing = z.object({ error: z.literal("no_such_refund"), reference: z.literal(order.reference) });
      return reply.status === 404 && missing.safeParse(reply.body).success ? { status: "not_found" } : toOutcome(order, reply);
    },
  });
}

function toOutcome({ reference, sessionId, amount }: RefundOrder, { status, body }: Reply): RefundOutcome {
  const read = Refund.safeParse(body);
  if (status !== 200 || !read.success) return { status: "unknown" };
  const { state, transfer, reason, ...about } = read.data;
  const isAbout = about.reference === reference && about.session === sessionId && about.kobo === String(amount.minor);
  return isAbout ? outcomeOfState(state, transfer, reason) : { status: "unknown" };
}
