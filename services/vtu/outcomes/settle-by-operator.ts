import { and, eq, sql } from "drizzle-orm";
import { z } from "zod";
import { preparing, type Tx } from "#db/client.ts";
import { purchases } from "#db/schema/vtu.ts";
import { parsed } from "#lib/parsed.ts";
import { invalid } from "#lib/problem.ts";
import type { Delivery } from "#providers/aggregator.ts";
import { type ApprovedContext, NotCarriedOut } from "../../approval.ts";
import { HAS_A_TOKEN, noteInAudit, requireReason } from "../../audit/index.ts";
import { findMerchantOf } from "../../find-merchant-of.ts";
import { verb } from "../../verb.ts";
import { type Final, secretsOf } from "../buying/transition.ts";
import type { PurchaseRow } from "../purchase.ts";
import { findPurchase } from "../purchases/read-purchases.ts";
import { MAX_CORRECTIONS, RECHECK_LOST_AFTER_MS } from "../schedule.ts";
import { settleLocked } from "./settle-reading.ts";

/** The outcome of a purchase that an operator got from the aggregator. */
export interface OperatorOutcome {
  outcome: "delivered" | "failed";
  /** The delivered tokens or pins. Tokens are 20 digits each. */
  delivery?: Pick<Delivery, "tokens" | "pins"> | undefined;
  /** The source of the aggregator's statement: a ticket, a mail, an entry of its portal. At most 500 characters. */
  evidence: string;
  reason: string;
  /** The state that the operators have seen (`readStateOfPurchase`): a provider may have decided since. Absent: any. */
  was?: string | undefined;
}

/** Returns the state of a purchase that an operator decides about, in words. Undefined for an unknown one. */
export async function readStateOfPurchase(id: string): Promise<string | undefined> {
  const merchantId = await findMerchantOf(id);
  const row = merchantId === undefined ? undefined : await findPurchase(merchantId, id);
  return row && stateOf(row);
}

const stateOf = ({ status, corrections }: PurchaseRow): string =>
  corrections === 0 ? status : `${status}, contradicted ${corrections} times`;

const Said = z.object({
  evidence: z.string().trim().min(1, "Say where the provider's word can be found.").max(500, "Write at most 500 characters."),
  tokens: z.array(z.string().regex(/^\d{20}$/, "A token has 20 digits, without separators.")),
  pins: z.array(
    z.object({
      serial: z.string().trim().min(1).max(100),
      pin: z.string().trim().max(100).regex(/\d/, "A PIN has digits. Leave out a line of headings."),
    }),
  ),
});

/**
 * Settles a purchase as an operator says, who has asked the aggregator: one that is `processing`, or one whose aggregator has contradicted itself so
 * often that no money moves by itself any more. Posts by the code that settles what an aggregator says, and supersedes reads that are running. The
 * aggregator is still read afterwards: if it says something else, money moves again and an exception is noted. Reason and evidence go to the audit,
 * tokens and pins do not. Returns false if there is no such purchase, or it is decided. Throws `NotCarriedOut` for an outcome that changes nothing. Throws VALIDATION_ERROR for a delivery without
 * the tokens or pins that belong to it. Locks: purchase, ledger accounts, event counter, head of the audit.
 */
export const settlePurchaseByOperator = verb(
  { actor: ["operator"], approved: true },
  async (ctx: ApprovedContext, id: string, said: OperatorOutcome): Promise<boolean> => {
    const reason = requireReason(said.reason);
    if (HAS_A_TOKEN.test(said.evidence)) throw invalid("evidence", "Write no token here: it goes to the audit.");
    if (said.outcome === "failed" && said.delivery) throw invalid("delivery", "A purchase that failed delivered nothing.");
    const { evidence, tokens, pins } = parsed(Said, {
      evidence: said.evidence,
      tokens: said.delivery?.tokens ?? [],
      pins: said.delivery?.pins ?? [],
    });
    const { tx } = ctx.approval;
    const merchantId = await findMerchantOf(id, preparing(tx));
    if (merchantId === undefined) return false;
    const purchase = await supersedeReads(tx, merchantId, id);
    const isOpen = purchase && (purchase.status === "processing" || purchase.corrections >= MAX_CORRECTIONS);
    if (!isOpen) return false;
    if (said.was !== undefined && said.was !== stateOf(purchase))
      throw new NotCarriedOut(`${id} is ${stateOf(purchase)} by now, not ${said.was}. Look at it again.`);
    const outcome = said.outcome === "failed" ? NOT_DELIVERED : deliveryOf(purchase, { tokens, pins, units: null });
    const options = { recheckAfterMs: RECHECK_LOST_AFTER_MS, byOperator: true };
    if (!(await settleLocked(tx, purchase, outcome, options)))
      throw new NotCarriedOut("This outcome moves no money, so it changes nothing.");
    await noteInAudit(tx, ctx, {
      ...{ merchantId, action: "purchase.settled", subject: id, reason },
      ...{ before: { status: purchase.status }, after: { outcome: said.outcome, evidence } },
    });
    return true;
  },
);

const NOT_DELIVERED: Final = { status: "failed", reason: "The provider did not deliver it." };

/** Locks a purchase, and raises its fencing token, so that a read which is running settles nothing. */
async function supersedeReads(tx: Tx, merchantId: string, id: string): Promise<PurchaseRow | undefined> {
  const [purchase] = await tx
    .update(purchases)
    .set({ fencingToken: sql`${purchases.fencingToken} + 1` })
    .where(and(eq(purchases.merchantId, merchantId), eq(purchases.id, id)))
    .returning();
  return purchase;
}

/** The kinds of delivered codes, and how an operator writes them into a file. */
const WRITTEN = { tokens: "tokens of 20 digits, one a line", pins: "PINs, SERIAL,PIN a line" } as const;

/** Returns the outcome of a delivery. Throws VALIDATION_ERROR where it does not have what belongs to the purchase, has something else, or has it twice. */
function deliveryOf(purchase: PurchaseRow, delivery: Delivery): Final {
  const { quantity, productName } = purchase;
  const kind = secretsOf(purchase);
  const refuse = (message: string) => invalid("delivery", `${message} Nothing was settled.`);
  const { tokens, pins } = delivery;
  if (kind === undefined) {
    if (tokens.length + pins.length > 0) throw refuse(`${productName} has neither tokens nor PINs: leave --delivery out.`);
    return { status: "delivered", delivery };
  }
  const given = delivery[kind];
  if (given.length === 0 || given.length < tokens.length + pins.length)
    throw refuse(`${productName} is delivered as ${WRITTEN[kind]}: give a file of them with --delivery.`);
  if (new Set(kind === "pins" ? pins.map(({ pin }) => pin) : tokens).size < given.length) throw refuse("One of them is listed twice.");
  if (kind === "pins" && pins.length > quantity) throw refuse(`${quantity} of ${productName} were bought: give no more PINs than that.`);
  return { status: "delivered", delivery };
}
