import { and, eq, isNotNull, isNull, lte, sql } from "drizzle-orm";
import { db, transaction } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import { newCardholderId, newReference } from "#lib/ids.ts";
import { log } from "#lib/log.ts";
import { notFound, Problem } from "#lib/problem.ts";
import { someAtOnce } from "#lib/some-at-once.ts";
import type { CardholderState, Issuer } from "#providers/issuer.ts";
import type { MerchantContext } from "../context.ts";
import { appendEvent } from "../events/index.ts";
import { issuerFor, issuerNamed } from "../providers/index.ts";
import type { CardholderRow } from "./card.ts";
import { presentCardholder } from "./cardholder-schemas.ts";
import { LEASE_MS, waitAfter } from "./schedule.ts";

interface Person {
  firstName: string;
  lastName: string;
  /** In lower case. */
  email: string;
  /** E.164. */
  phone: string | null;
}

/**
 * Makes a cardholder, or answers the one that has this email: whoever asks first makes it, once. Throws PROVIDER_UNAVAILABLE, and
 * PROVIDER_ERROR where the issuer does not take the person's data. One that does not answer leaves the cardholder PENDING, and the
 * worker asks again.
 */
export async function createCardholder(ctx: MerchantContext, person: Person): Promise<{ cardholder: CardholderRow; isNew: boolean }> {
  const issuer = issuerFor(ctx.merchant);
  const reference = ctx.resourceId ?? newReference();
  const made = await store(ctx, issuer, { ...person, reference });
  if (!made) {
    const cardholder = await getCardholderByEmail(ctx, person.email);
    return { cardholder, isNew: cardholder.reference === reference };
  }
  if ((await introduce(issuer, made)) === "refused") {
    await forget(made);
    throw new Problem(
      "PROVIDER_ERROR",
      "The card issuer did not take this person's data. Check names, email and phone, and send them again.",
      {
        outcome: "not_executed",
      },
    );
  }
  return { cardholder: await getCardholder(ctx, made.id), isNew: true };
}

type NewCardholder = Person & { reference: string };

/** Undefined when the email has a cardholder already. */
async function store({ merchant }: MerchantContext, { name: provider }: Issuer, person: NewCardholder): Promise<CardholderRow | undefined> {
  return db().transaction(async (tx) => {
    const [row] = await tx
      .insert(cardholders)
      .values({
        ...person,
        merchantId: merchant.id,
        id: newCardholderId(),
        provider,
        nextCheckAt: sql`now() + ${LEASE_MS} * interval '1 ms'`,
      })
      .onConflictDoNothing({ target: [cardholders.merchantId, cardholders.email] })
      .returning();
    if (!row) return undefined;
    const { reference, id } = row;
    await tx
      .insert(issuerReferences)
      .values({ provider, reference, merchantId: merchant.id, subject: "cardholder", subjectId: String(id) });
    return row;
  });
}

/** To refuse somebody's data is no decision about who they are: the email is free again. */
async function forget({ merchantId, id, provider, reference }: CardholderRow): Promise<void> {
  await db().transaction(async (tx) => {
    const [gone] = await tx
      .delete(cardholders)
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNull(cardholders.providerReference)))
      .returning();
    if (!gone) return;
    await tx.delete(issuerReferences).where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
  });
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholder({ merchant }: MerchantContext, id: number): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.id, id)));
  if (!row) throw notFound("cardholder");
  return row;
}

/** Throws RESOURCE_NOT_FOUND. */
export async function getCardholderByEmail({ merchant }: MerchantContext, email: string): Promise<CardholderRow> {
  const [row] = await db()
    .select()
    .from(cardholders)
    .where(and(eq(cardholders.merchantId, merchant.id), eq(cardholders.email, email)));
  if (!row) throw notFound("cardholder");
  return row;
}

/** Tells the issuer of a person. No money hangs on it: what it may have taken without answering is looked for before it is told again. */
async function introduce(issuer: Issuer, cardholder: CardholderRow): Promise<"told" | "refused"> {
  const { firstName, lastName, email, phone, reference } = cardholder;
  const outcome = await issuer.createCardholder({ reference, firstName, lastName, email, phone });
  if (outcome.status === "failed") return "refused";
  if (outcome.status === "completed") await settleCardholder(cardholder, outcome.cardholder);
  else await checkLater(cardholder);
  return "told";
}

/** Reads what the issuer says of a person who is not decided yet. */
export async function checkCardholder(cardholder: CardholderRow): Promise<void> {
  if (cardholder.kycStatus !== "PENDING" && cardholder.providerReference !== null) return;
  const issuer = issuerNamed(cardholder.provider);
  if (!issuer) throw new Error(`cardholder ${cardholder.id} is at an issuer that is not known here`);
  const reading = await issuer.readCardholder(cardholder);
  if (reading.status === "found") return settleCardholder(cardholder, reading.found);
  const isTold = reading.status === "not_found" && isLost(cardholder, issuer) && (await introduce(issuer, cardholder)) === "told";
  if (!isTold) await checkLater(cardholder);
}

const isLost = ({ createdAt, providerReference }: CardholderRow, { capabilities }: Issuer) =>
  providerReference === null && Date.now() - createdAt.getTime() > LEASE_MS + capabilities.visibleWithinMs;

async function settleCardholder(cardholder: CardholderRow, { providerReference, kyc }: CardholderState): Promise<void> {
  const { merchantId, id, provider } = cardholder;
  await db().transaction(async (tx) => {
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
  else await decide(cardholder, kyc);
}

export type Decision = Exclude<CardholderState["kyc"], { status: "PENDING" }> | { status: "APPROVED" };

/** A decision is made once, by the issuer or by an operator; what comes later changes nothing. False when it was made before. */
export async function decide({ merchantId, id }: Pick<CardholderRow, "merchantId" | "id">, decision: Decision): Promise<boolean> {
  return transaction(async (tx) => {
    const [decided] = await tx
      .update(cardholders)
      .set({
        kycStatus: decision.status,
        kycRejectionReason: decision.status === "REJECTED" ? decision.reason : null,
        // An operator may have decided before the issuer has answered: its name for the person is still to be learned.
        nextCheckAt: sql`case when provider_reference is null then next_check_at end`,
      })
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
    .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNotNull(cardholders.nextCheckAt)));
}

/** Asks issuers about people who are due. Answers how many were. */
export async function checkDueCardholders(limit = 50): Promise<number> {
  const due = await db()
    .select()
    .from(cardholders)
    .where(lte(cardholders.nextCheckAt, sql`now()`))
    .orderBy(cardholders.nextCheckAt)
    .limit(limit);
  await someAtOnce(due, async ({ merchantId, id }) => {
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
