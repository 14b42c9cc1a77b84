import { and, eq, isNull, sql } from "drizzle-orm";
import { transaction } from "#db/client.ts";
import { cardholders, issuerReferences } from "#db/schema/cards.ts";
import { newCardholderId, newReference } from "#lib/ids.ts";
import { Problem } from "#lib/problem.ts";
import type { Issuer } from "#providers/issuer.ts";
import { type MerchantContext, madeBy } from "../../context.ts";
import type { Metadata } from "../../fields.ts";
import { issuers } from "../../providers/index.ts";
import { verb } from "../../verb.ts";
import { type Cardholder, type CardholderRow, cardholderFromRow } from "../cardholder.ts";
import { LEASE_MS } from "../schedule.ts";
import { getCardholder, getRowByEmail } from "./read-cardholders.ts";
import { registerCardholder } from "./register-cardholder.ts";

interface Person {
  firstName: string;
  lastName: string;
  /** In lower case. */
  email: string;
  /** E.164. */
  phone: string | null;
  metadata?: Metadata | undefined;
}

/**
 * Creates one cardholder per email: a second request with the same email returns the first cardholder, unchanged. Throws PROVIDER_UNAVAILABLE, and
 * PROVIDER_ERROR if the issuer refuses the person's data. If the issuer does not answer, the cardholder stays PENDING and the worker checks
 * it later.
 */
export const createCardholder = verb(
  { permission: "cards:write" },
  async (ctx: MerchantContext, person: Person): Promise<{ cardholder: Cardholder; isNew: boolean }> => {
    const issuer = issuers.for(ctx.merchant);
    const reference = ctx.resourceId ?? newReference();
    const made = await store(ctx, issuer, { ...person, reference });
    if (!made) {
      const known = await getRowByEmail(ctx, person.email);
      return { cardholder: cardholderFromRow(known), isNew: known.reference === reference };
    }
    if ((await registerCardholder(issuer, made)) === "refused") {
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
  },
);

type NewCardholder = Person & { reference: string };

/** Stores a cardholder. Returns undefined if the email has one already. */
async function store(ctx: MerchantContext, { name: provider }: Issuer, person: NewCardholder): Promise<CardholderRow | undefined> {
  const { merchant } = ctx;
  return transaction(async (tx) => {
    const [row] = await tx
      .insert(cardholders)
      .values({
        ...person,
        merchantId: merchant.id,
        id: newCardholderId(),
        provider,
        madeBy: madeBy(ctx),
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

/** Deletes a cardholder whose data the issuer refused, so that the email can be sent again. That refusal is no KYC decision. */
async function forget({ merchantId, id, provider, reference }: CardholderRow): Promise<void> {
  await transaction(async (tx) => {
    const [gone] = await tx
      .delete(cardholders)
      .where(and(eq(cardholders.merchantId, merchantId), eq(cardholders.id, id), isNull(cardholders.providerReference)))
      .returning();
    if (!gone) return;
    await tx.delete(issuerReferences).where(and(eq(issuerReferences.provider, provider), eq(issuerReferences.reference, reference)));
  });
}
