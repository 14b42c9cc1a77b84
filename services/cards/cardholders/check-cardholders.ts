import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { Issuer } from "#providers/issuer.ts";
import { alertOperators } from "../../alerts/index.ts";
import type { SystemContext } from "../../context.ts";
import { issuers, modeOf } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import type { CardholderRow } from "../cardholder.ts";
import { LEASE_MS } from "../schedule.ts";
import { checkLater, registerCardholder, settleCardholder } from "./register-cardholder.ts";

/** Reads due cardholders from their issuers, for all merchants. Returns how many were due, at most `limit`. */
export const checkDueCardholders = verb({ actor: ["system"] }, async (_ctx: SystemContext, limit: number = 50): Promise<number> => {
  const due = await db()
    .select()
    .from(cardholders)
    .where(lte(cardholders.nextCheckAt, sql`now()`))
    .orderBy(cardholders.nextCheckAt)
    .limit(limit);
  await forEachAtOnce(due, async ({ merchantId, id }) => {
    const [claimed] = await db()
      .update(cardholders)
      .set({ nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), lte(cardholders.nextCheckAt, sql`now()`)))
      .returning();
    if (claimed) await checkOrLog(claimed);
  });
  return due.length;
});

/** Checks a cardholder and logs an error instead of throwing it, so that one failure does not stop the sweep. */
export async function checkOrLog(cardholder: CardholderRow): Promise<void> {
  try {
    await checkCardholder(cardholder);
  } catch (error) {
    log().error({ cardholderId: cardholder.id, err: error }, "a cardholder could not be asked about; it is tried again");
  }
}

/**
 * Reads a cardholder from the issuer, until the issuer's reference and a decision are stored. Registers the cardholder again only once the
 * issuer would list an earlier registration. Throws an Error if the issuer is unknown.
 */
async function checkCardholder(cardholder: CardholderRow): Promise<void> {
  if (cardholder.kycStatus !== "PENDING" && cardholder.providerReference !== null) return;
  const issuer = issuers.named(cardholder.provider);
  if (!issuer) throw new Error(`cardholder ${cardholder.id} is at an issuer that is not known here`);
  const reading = await issuer.readCardholder(cardholder);
  if (reading.status === "found") return settleCardholder(cardholder, reading.found);
  if (reading.status !== "not_found" || !isLost(cardholder, issuer)) return checkLater(cardholder);
  if ((await registerCardholder(issuer, cardholder)) === "refused") {
    // After an operator's decision nothing is left to ask the issuer.
    if (cardholder.kycStatus !== "PENDING") return endChecks(cardholder);
    await alertAboutRefusal(cardholder);
    await checkLater(cardholder);
  }
}

async function endChecks({ merchantId, id }: CardholderRow): Promise<void> {
  await db()
    .update(cardholders)
    .set({ nextCheckAt: null })
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id)));
}

/** The merchant has the cardholder's id, so the cardholder is not deleted: an operator decides. */
async function alertAboutRefusal({ merchantId, id, provider }: CardholderRow): Promise<void> {
  await alertOperators(modeOf(provider), {
    type: "cardholder.refused",
    resourceId: String(id),
    message: `${provider} does not take the data of cardholder ${id} of ${merchantId}. Ask the issuer, then: npm run oja -- decide-kyc ${merchantId} ${id} reject --reason TEXT`,
  });
}

const isLost = ({ createdAt, providerReference }: CardholderRow, { capabilities }: Issuer) =>
  providerReference === null && Date.now() - createdAt.getTime() > LEASE_MS + capabilities.visibleWithinMs;
