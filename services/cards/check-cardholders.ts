import { and, eq, lte, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { Issuer } from "#providers/issuer.ts";
import type { SystemContext } from "../context.ts";
import { issuers } from "../providers/index.ts";
import type { CardholderRow } from "./cardholder.ts";
import { checkLater, introduceCardholder, settleCardholder } from "./introduce-cardholder.ts";
import { LEASE_MS } from "./schedule.ts";

/** Asks issuers about people who are due. Returns how many were. */
export async function checkDueCardholders(_ctx: SystemContext, limit = 50): Promise<number> {
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
    if (claimed) await checkLoudly(claimed);
  });
  return due.length;
}

/** One who cannot be asked about must not keep the others from it. */
export async function checkLoudly(cardholder: CardholderRow): Promise<void> {
  try {
    await checkCardholder(cardholder);
  } catch (error) {
    log().error({ cardholderId: cardholder.id, err: error }, "a cardholder could not be asked about; it is tried again");
  }
}

/** Reads what the issuer says of a person who is not decided yet. */
async function checkCardholder(cardholder: CardholderRow): Promise<void> {
  if (cardholder.kycStatus !== "PENDING" && cardholder.providerReference !== null) return;
  const issuer = issuers.named(cardholder.provider);
  if (!issuer) throw new Error(`cardholder ${cardholder.id} is at an issuer that is not known here`);
  const reading = await issuer.readCardholder(cardholder);
  if (reading.status === "found") return settleCardholder(cardholder, reading.found);
  const isTold = reading.status === "not_found" && isLost(cardholder, issuer) && (await introduceCardholder(issuer, cardholder)) === "told";
  if (!isTold) await checkLater(cardholder);
}

const isLost = ({ createdAt, providerReference }: CardholderRow, { capabilities }: Issuer) =>
  providerReference === null && Date.now() - createdAt.getTime() > LEASE_MS + capabilities.visibleWithinMs;
