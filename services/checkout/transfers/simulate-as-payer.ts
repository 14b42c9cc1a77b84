import { and, eq, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { paymentLinkActivity, paymentLinks } from "#db/schema/checkout.ts";
import { newReference } from "#lib/ids.ts";
import { type Money, money } from "#lib/money.ts";
import type { SandboxBank } from "#providers/sandbox/bank.ts";
import type { Context } from "../../context.ts";
import { sandboxBanks } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { findPayerView } from "../links/read-links.ts";
import { recordActivity } from "../links/record-activity.ts";
import type { PaymentLink } from "../payment-link.ts";
import { endTime } from "./test-mode.ts";

export const PAYER_SIMULATIONS = ["exact", "under", "over", "late", "duplicate", "expiring", "expired", "waited"] as const;
type PayerSimulation = (typeof PAYER_SIMULATIONS)[number];

/** Rounded down like all clocks here: PostgreSQL rounds a moment that it stores to the nearest millisecond, which may lie ahead. */
const NOW = sql`date_trunc('milliseconds', now())`;

const MINUTES_LEFT_WHEN_EXPIRING = 4;
const MINUTES_WAITED = 2;
/** The most transfers of a test link. Anyone with the link may press the buttons, and must not fill the database. */
const MAX_TRANSFERS = 20;

/** Simulates the payer, the bank or the clock for the payer's page in test mode. Returns false for an unknown link, and in live mode. */
export const simulateAsPayer = verb(
  { actor: ["anyone"] },
  async (ctx: Context, reference: string, simulation: PayerSimulation): Promise<boolean> => {
    const found = await findPayerView(ctx, reference);
    // Checked by the mode, not only by the provider's name: in live mode money is real.
    if (!found || found.mode === "live") return false;
    // The page of a suspended merchant takes no payment.
    if (found.suspended) return true;
    const bank = sandboxBanks.named(found.provider);
    if (!bank) return false;
    if (found.link.transfers.length < MAX_TRANSFERS) await SIMULATE[simulation](bank, found.link, ctx);
    return true;
  },
);

const SIMULATE: Record<PayerSimulation, (bank: SandboxBank, link: PaymentLink, ctx: Context) => Promise<unknown>> = {
  exact: (bank, link) => send(bank, link),
  under: (bank, link) => send(bank, link, less(link.amount)),
  over: (bank, link) => send(bank, link, money(link.amount.minor * 2n, link.amount.currency)),
  async late(bank, link) {
    await endTime(link);
    await send(bank, link);
  },
  async duplicate(bank, link) {
    if (link.status === "pending") await send(bank, link);
    await send(bank, link);
  },
  expiring: (_bank, { merchantId, id }) =>
    db()
      .update(paymentLinks)
      .set({ expiresAt: sql`least(${paymentLinks.expiresAt}, ${NOW} + ${MINUTES_LEFT_WHEN_EXPIRING} * interval '1 minute')` })
      .where(and(eq(paymentLinks.merchantId, merchantId), eq(paymentLinks.id, id), eq(paymentLinks.status, "pending"))),
  expired: (_bank, link) => endTime(link),
  async waited(_bank, { merchantId, id, reference, transfers }, ctx) {
    await recordActivity(ctx, reference, "sent", { transfersSeen: transfers.length });
    const earlier = sql`${NOW} - ${MINUTES_WAITED} * interval '1 minute'`;
    await db()
      .update(paymentLinkActivity)
      .set({ firstAt: sql`least(${paymentLinkActivity.firstAt}, ${earlier})`, lastAt: earlier })
      .where(and(eq(paymentLinkActivity.merchantId, merchantId), eq(paymentLinkActivity.linkId, id), eq(paymentLinkActivity.kind, "sent")));
  },
};

const less = ({ minor, currency }: Money): Money => money(minor - (minor > 10_000n ? 10_000n : 1n), currency);

function send(bank: SandboxBank, { accountNumber, amount: exact }: PaymentLink, amount = exact) {
  return bank.makeTransfer({ accountNumber, amount, senderName: "Test Payer", sessionId: newReference(), madeAt: null });
}
