import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { businesses } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { noteInAudit, requireReason, requireVersion } from "../audit/index.ts";
import type { BusinessContext, OperatorContext } from "../context.ts";

/** The name of a business, and the one that it asks for. */
export interface BusinessName {
  name: string;
  requestedName: string | null;
}

const ACTIONS = ["business.renamed", "business.name_requested", "business.name_approved", "business.name_refused"];

/**
 * Gives a business another name. Where a live area is on, payers see the name at their bank, so the new one waits for an operator (`decideName`).
 * The present name takes a request back. Throws VERSION_CONFLICT where the name is another one than `from`, which the caller has read.
 */
export async function renameBusiness(ctx: BusinessContext, { name, from }: { name: string; from: string }): Promise<BusinessName> {
  const { businessId } = ctx;
  return transaction(async (tx) => {
    const before = await lockName(tx, businessId);
    const waits = name !== before.name && (await isLive(tx, businessId));
    const after = waits ? { name: before.name, requestedName: name } : { name, requestedName: null };
    if (after.name === before.name && after.requestedName === before.requestedName) return after;
    await requireVersion(tx, { businessId, subject: businessId, actions: ACTIONS, stored: before.name, read: from });
    await store(tx, businessId, after);
    await noteInAudit(tx, ctx, {
      ...{ businessId, action: waits ? "business.name_requested" : "business.renamed", subject: businessId },
      ...{ before: fieldsOf(before), after: fieldsOf(after) },
    });
    return after;
  });
}

/**
 * Gives a business the name that it asks for, or refuses it. Throws RESOURCE_NOT_FOUND for an unknown business, and VALIDATION_ERROR for an empty
 * reason and where no name is asked for any more.
 */
export async function decideName(
  ctx: OperatorContext,
  businessId: string,
  { isApproved, reason }: { isApproved: boolean; reason: string },
): Promise<BusinessName> {
  const why = requireReason(reason);
  return transaction(async (tx) => {
    const before = await lockName(tx, businessId);
    if (before.requestedName === null) throw invalid("business", "This business asks for no other name.");
    const after = { name: isApproved ? before.requestedName : before.name, requestedName: null };
    await store(tx, businessId, after);
    await noteInAudit(tx, ctx, {
      ...{ businessId, action: isApproved ? "business.name_approved" : "business.name_refused", subject: businessId, reason: why },
      ...{ before: fieldsOf(before), after: fieldsOf(after) },
    });
    return after;
  });
}

const fieldsOf = ({ name, requestedName }: BusinessName) => ({ name, requested_name: requestedName });

async function lockName(tx: Tx, businessId: string): Promise<BusinessName> {
  const [business] = await tx
    .select({ name: businesses.name, requestedName: businesses.requestedName })
    .from(businesses)
    .where(eq(businesses.id, businessId))
    .for("no key update");
  if (!business) throw notFound("business");
  return business;
}

async function isLive(tx: Tx, businessId: string): Promise<boolean> {
  const [found] = await tx.execute(sql`
    select from merchant_areas a join merchants m on m.id = a.merchant_id where m.business_id = ${businessId} and m.mode = 'live' limit 1`);
  return found !== undefined;
}

const store = (tx: Tx, businessId: string, { name, requestedName }: BusinessName) =>
  tx
    .update(businesses)
    .set({ name, requestedName, nameRequestedAt: requestedName === null ? null : sql`now()` })
    .where(eq(businesses.id, businessId));
