import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import type { CardholderState, Issuer } from "#providers/issuer.ts";
import type { CardholderRow } from "../cardholder.ts";
import { waitAfterMs } from "../schedule.ts";
import { recordDecision } from "./decide-kyc.ts";

/**
 * Registers a cardholder with the issuer, and settles the answer. This moves no money, so it may be repeated: after no answer, the worker
 * reads the cardholder from the issuer before it registers the cardholder again. Returns "refused" if the issuer refuses the person's data.
 */
export async function registerCardholder(issuer: Issuer, cardholder: CardholderRow): Promise<"sent" | "refused"> {
  const { firstName, lastName, email, phone, reference } = cardholder;
  const outcome = await issuer.createCardholder({ reference, firstName, lastName, email, phone });
  if (outcome.status === "failed") return "refused";
  if (outcome.status === "completed") await settleCardholder(cardholder, outcome.cardholder);
  else await checkLater(cardholder);
  return "sent";
}

/** Stores the issuer's reference for a cardholder, and its decision. An undecided cardholder is checked again. */
export async function settleCardholder(cardholder: CardholderRow, { providerReference, kyc }: CardholderState): Promise<void> {
  const { merchantId, id, provider } = cardholder;
  await transaction(async (tx) => {
    const [named] = await tx
      .update(cardholders)
      .set({ providerReference, nextCheckAt: sql`case when kyc_status = 'PENDING' then next_check_at end` })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNull(cardholders.providerReference)))
      .returning({ id: cardholders.id });
    if (!named) return;
    await tx
      .insert(issuerReferences)
      .values({ provider, reference: providerReference, merchantId, subject: "cardholder", subjectId: String(id) })
      .onConflictDoNothing();
  });
  if (kyc.status === "PENDING") await checkLater(cardholder);
  else await transaction((tx) => recordDecision(tx, cardholder, kyc));
}

/** Schedules the next check of a cardholder, with backoff; does nothing once no check is due. */
export async function checkLater({ merchantId, id, checks }: CardholderRow): Promise<void> {
  await db()
    .update(cardholders)
    .set({ checks: checks + 1, nextCheckAt: sql`now() + ${waitAfterMs(checks)} * interval '1 ms'` })
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNotNull(cardholders.nextCheckAt)));
}
