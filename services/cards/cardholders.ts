import { and, eq, isNull, lte, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import { newReference } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { notFound } from "#lib/problem.ts";
import type { CardholderState, Issuer } from "#providers/issuer.ts";
import type { Context } from "../context.ts";
import { appendEvent } from "../events/index.ts";
import { issuerFor, issuerNamed } from "../providers/index.ts";
import type { CardholderRow } from "./card.ts";
import { LEASE_MS, waitAfter } from "./schedule.ts";
import { presentCardholder } from "./schemas.ts";

interface Person {
  firstName: string;
  lastName: string;
  /** In lower case. */
  email: string;
  /** E.164. */
  phone: string | null;
}

/**
 * Makes a cardholder, or answers the one that has this email: whoever asks first makes it, once. Throws PROVIDER_UNAVAILABLE. An issuer
 * that does not answer leaves it PENDING, and the worker asks again.
 */
export async function createCardholder(ctx: Context, person: Person): Promise<{ cardholder: CardholderRow; isNew: boolean }> {
  const issuer = issuerFor(ctx.merchant);
  const merchantId = ctx.merchant.id;
  const reference = newReference();
  const made = await db().transaction(async (tx) => {
    const [row] = await tx
      .insert(cardholders)
      .values({ ...person, merchantId, reference, provider: issuer.name, nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
      .onConflictDoNothing()
      .returning();
    if (!row) return undefined;
    await tx
      .insert(issuerReferences)
      .values({ provider: issuer.name, reference, merchantId, subject: "cardholder", subjectId: String(row.id) });
    return row;
  });
  if (!made) return { cardholder: await getCardholderByEmail(ctx, person.email), isNew: false };
  await introduce(issuer, made);
  return { cardholder: await getCardholder(ctx, made.id), isNew: true };
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholder({ merchant }: Context, id: number): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.id, id)));
  if (!row) throw notFound("cardholder");
  return row;
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholderByEmail({ merchant }: Context, email: string): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.email, email)));
  if (!row) throw notFound("cardholder");
  return row;
}

/** Tells the issuer of a person. No money hangs on it: what it may have taken without answering is looked for before it is told again. */
async function introduce(issuer: Issuer, cardholder: CardholderRow): Promise<void> {
  const { firstName, lastName, email, phone, reference } = cardholder;
  const outcome = await issuer.createCardholder({ reference, firstName, lastName, email, phone });
  if (outcome.status === "completed") await settleCardholder(cardholder, outcome.cardholder);
  else if (outcome.status === "failed") await decide(cardholder, { status: "REJECTED", reason: outcome.reason });
  else await checkLater(cardholder);
}

/** Reads what the issuer says of a person who is not decided yet. */
export async function checkCardholder(cardholder: CardholderRow): Promise<void> {
  if (cardholder.kycStatus !== "PENDING" && cardholder.providerReference !== null) return;
  const issuer = issuerNamed(cardholder.provider);
  if (!issuer) throw new Error(`cardholder ${cardholder.id} is at an issuer that is not known here`);
  const reading = await issuer.readCardholder(cardholder);
  if (reading.status === "found") return settleCardholder(cardholder, reading.found);
  if (reading.status === "not_found" && isLost(cardholder, issuer)) return introduce(issuer, cardholder);
  await checkLater(cardholder);
}

const isLost = ({ createdAt, providerReference }: CardholderRow, { capabilities }: Issuer) =>
  providerReference === null && Date.now() - createdAt.getTime() > LEASE_MS + capabilities.visibleWithinMs;

async function settleCardholder(cardholder: CardholderRow, { providerReference, kyc }: CardholderState): Promise<void> {
  const { merchantId, id, provider } = cardholder;
  await db().transaction(async (tx) => {
    const [named] = await tx
      .update(cardholders)
      .set({ providerReference })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNull(cardholders.providerReference)))
      .returning({ id: cardholders.id });
    if (!named) return;
    await tx
      .insert(issuerReferences)
      .values({ provider, reference: providerReference, merchantId, subject: "cardholder", subjectId: String(id) })
      .onConflictDoNothing();
  });
  if (kyc.status === "PENDING") await checkLater(cardholder);
  else await decide(cardholder, kyc);
}

export type Decision = Exclude<CardholderState["kyc"], { status: "PENDING" }> | { status: "APPROVED" };

/** A decision is made once, by the issuer or by an operator; what comes later changes nothing. False when it was made before. */
export async function decide({ merchantId, id }: Pick<CardholderRow, "merchantId" | "id">, decision: Decision): Promise<boolean> {
  return transaction(async (tx) => {
    const [decided] = await tx
      .update(cardholders)
      .set({ kycStatus: decision.status, kycRejectionReason: decision.status === "REJECTED" ? decision.reason : null, nextCheckAt: null })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), eq(cardholders.kycStatus, "PENDING")))
      .returning();
    if (!decided) return false;
    const type = decision.status === "APPROVED" ? "cardholder.kyc_approved" : "cardholder.kyc_rejected";
    await appendEvent(tx, merchantId, type, presentCardholder(decided));
    return true;
  });
}

async function checkLater({ merchantId, id, checks }: CardholderRow): Promise<void> {
  await db()
    .update(cardholders)
    .set({ checks: checks + 1, nextCheckAt: sql`now() + ${waitAfter(checks)} * interval '1 ms'` })
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), eq(cardholders.kycStatus, "PENDING")));
}

/** Asks issuers about people who are due. Answers how many were. */
export async function checkDueCardholders(limit = 50): Promise<number> {
  const due = await db()
    .select()
    .from(cardholders)
    .where(lte(cardholders.nextCheckAt, sql`now()`))
    .orderBy(cardholders.nextCheckAt)
    .limit(limit);
  for (const { merchantId, id } of due) {
    const [claimed] = await db()
      .update(cardholders)
      .set({ nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'` })
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), lte(cardholders.nextCheckAt, sql`now()`)))
      .returning();
    if (claimed) await checkLoudly(claimed);
  }
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
