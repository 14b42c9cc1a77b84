import { eq, sql } from "drizzle-orm";
import { type Tx, transaction } from "#db/client.ts";
import { businesses } from "#db/schema/tenants.ts";
import { invalid, notFound } from "#lib/problem.ts";
import { noteInAudit, requireReason, requireVersion } from "../audit/index.ts";
import type { BusinessContext, OperatorContext } from "../context.ts";
import { verb } from "../verb.ts";
import { isLive } from "./is-live.ts";

/** The name of a business, and the requested new name. */
export interface BusinessName {
  name: string;
  requestedName: string | null;
}

interface Renaming {
  name: string;
  /** The name that the caller has read. */
  from: string;
  /** The requested name that the caller has read, and that is replaced. */
  fromRequested: string | null;
}

const ACTIONS = ["business.renamed", "business.name_requested", "business.name_approved", "business.name_refused"];

/**
 * Gives a business another name. Where a live area is on or asked for, payers see the name at their bank, so the new one waits for an operator (`decideName`).
 * The present name takes a request back. Throws VERSION_CONFLICT where the name is another one than `from`, or another name waits than
 * `fromRequested`: the caller has read both.
 */
export const renameBusiness = verb(
  { permission: "settings:write" },
  async (ctx: BusinessContext, { name, from, fromRequested }: Renaming): Promise<BusinessName> => {
    const { businessId } = ctx;
    return transaction(async (tx) => {
      const before = await lockName(tx, businessId);
      const waits = name !== before.name && (await isLive(tx, businessId));
      const after = waits ? { name: before.name, requestedName: name } : { name, requestedName: null };
      if (after.name === before.name && after.requestedName === before.requestedName) return after;
      const about = { businessId, subject: businessId, actions: ACTIONS };
      await requireVersion(tx, { ...about, stored: before.name, read: from });
      const did = before.requestedName === null ? undefined : `asked for the name ${before.requestedName}`;
      await requireVersion(tx, { ...about, stored: before.requestedName, read: fromRequested, did });
      await store(tx, businessId, after);
      await noteInAudit(tx, ctx, {
        ...{ businessId, action: waits ? "business.name_requested" : "business.renamed", subject: businessId },
        ...{ before: fieldsOf(before), after: fieldsOf(after) },
      });
      return after;
    });
  },
);

/**
 * Gives a business the name that it asks for, or refuses it. `name` is the one that the operator has read. Throws RESOURCE_NOT_FOUND for an unknown
 * business, and VALIDATION_ERROR for an empty reason, and where no name or another one is asked for by now.
 */
export const decideName = verb(
  { actor: ["operator"] },
  async (
    ctx: OperatorContext,
    businessId: string,
    { name, isApproved, reason }: { name: string; isApproved: boolean; reason: string },
  ): Promise<BusinessName> => {
    const why = requireReason(reason);
    return transaction(async (tx) => {
      const before = await lockName(tx, businessId);
      if (before.requestedName === null) throw invalid("business", "This business asks for no other name.");
      // The owner may have requested another name since the operator read this one.
      if (before.requestedName !== name)
        throw invalid("name", `This business asks for ${before.requestedName} now. Decide about that name.`);
      const after = { name: isApproved ? name : before.name, requestedName: null };
      await store(tx, businessId, after);
      await noteInAudit(tx, ctx, {
        ...{ businessId, action: isApproved ? "business.name_approved" : "business.name_refused", subject: businessId, reason: why },
        ...{ before: fieldsOf(before), after: fieldsOf(after) },
      });
      return after;
    });
  },
);

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

const store = (tx: Tx, businessId: string, { name, requestedName }: BusinessName) =>
  tx
    .update(businesses)
    .set({ name, requestedName, nameRequestedAt: requestedName === null ? null : sql`now()` })
    .where(eq(businesses.id, businessId));
