import { and, eq, isNotNull, isNull, ne } from "drizzle-orm";
import { db } from "#db/client.ts";
import { refunds } from "#db/schema/refunds.ts";
import type { RefundOutcome } from "#providers/refunds.ts";
import { finalOutcome } from "../../money-out.ts";
import { banks, payoutBanks } from "../../providers/index.ts";
import { orderAtBank, orderToAccount, type RefundRow } from "../refund.ts";
import { isRefund } from "./refund-rows.ts";
import { settleRefund } from "./settle-refund.ts";

/** Orders a refund from its bank, once, and settles the answer. Without a final answer the worker reads the outcome later. */
export async function orderRefund(refund: RefundRow): Promise<void> {
  const { order } = await senderOf(refund);
  const outcome = await order();
  await noteBankReference(refund, outcome);
  const final = finalOutcome(outcome);
  if (final) await settleRefund(refund, final, refund.fencingToken);
}

interface Sender {
  order: () => Promise<RefundOutcome>;
  read: () => Promise<RefundOutcome | { status: "not_found" }>;
  /** An order that the bank took can be read within this time. */
  visibleWithinMs: number;
}

/** Returns the ways to order a refund, and to read what became of it. Throws an Error where its bank is not known here. */
export async function senderOf(refund: RefundRow): Promise<Sender> {
  const { id, route, provider } = refund;
  if (route === "bank") {
    const own = banks.named(provider)?.refunds;
    if (!own) throw new Error(`refund ${id} is at a bank that is not known here`);
    const order = orderAtBank(refund, await otherBankReferences(refund));
    return { order: () => own.refund(order), read: () => own.readRefund(order), visibleWithinMs: own.visibleWithinMs };
  }
  const bank = payoutBanks.named(provider);
  if (!bank) throw new Error(`refund ${id} is at a bank that is not known here`);
  const order = orderToAccount(refund);
  return { order: () => bank.pay(order), read: () => bank.readPayout(order), visibleWithinMs: bank.capabilities.visibleWithinMs };
}

/** Stores the bank's id of a refund, by which it can be read. */
export async function noteBankReference(refund: RefundRow, { bankReference }: { bankReference?: string }): Promise<void> {
  if (bankReference === undefined || refund.bankReference !== null) return;
  await db()
    .update(refunds)
    .set({ bankReference })
    .where(and(isRefund(refund), isNull(refunds.bankReference), eq(refunds.provider, refund.provider)));
}

/** Returns the bank's ids of the other refunds of a transfer, so that one of the same amount is not taken for this one. */
async function otherBankReferences({ merchantId, id, transferId }: RefundRow): Promise<string[]> {
  const rows = await db()
    .select({ bankReference: refunds.bankReference })
    .from(refunds)
    .where(
      and(eq(refunds.merchantId, merchantId), eq(refunds.transferId, transferId), ne(refunds.id, id), isNotNull(refunds.bankReference)),
    );
  return rows.flatMap(({ bankReference }) => bankReference ?? []);
}
