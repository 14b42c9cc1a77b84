import { asc, eq, isNotNull } from "drizzle-orm";
import { db } from "#db/client.ts";
import { businesses, merchants } from "#db/schema/tenants.ts";
import type { MemberContext, OperatorContext } from "../context.ts";

/** A business with the fields that its members can change. */
export interface Business {
  id: string;
  name: string;
  /** A requested name that waits for an operator. Null: no other name is requested. */
  requestedName: string | null;
  nameRequestedAt: Date | null;
  brandColour: string;
  /** A name for `findLogo`. */
  logo: string | null;
  supportEmail: string | null;
  supportPhone: string | null;
  brandVersion: number;
}

/** Returns the business of a member. */
export async function getBusiness({ merchant }: MemberContext): Promise<Business> {
  const { id, name, requestedName, nameRequestedAt, brandColour, logo, supportEmail, supportPhone, brandVersion } = businesses;
  const [business] = await db()
    .select({ id, name, requestedName, nameRequestedAt, brandColour, logo, supportEmail, supportPhone, brandVersion })
    .from(businesses)
    .where(eq(businesses.id, merchant.businessId));
  if (!business) throw new Error(`merchant ${merchant.id} has no business`);
  return business;
}

/** Returns the origins whose pages may frame the payment pages of the member's merchant. */
export async function getEmbedOrigins({ merchant }: MemberContext): Promise<string[]> {
  const [row] = await db().select({ origins: merchants.embedOrigins }).from(merchants).where(eq(merchants.id, merchant.id));
  return row?.origins ?? [];
}

export interface NameRequest {
  business: string;
  name: string;
  requestedName: string | null;
  since: Date | null;
}

/** Returns the businesses that ask for another name, those that wait longest first, at most `limit`. */
export const listNameRequests = (_ctx: OperatorContext, limit = 500): Promise<NameRequest[]> =>
  db()
    .select({ business: businesses.id, name: businesses.name, requestedName: businesses.requestedName, since: businesses.nameRequestedAt })
    .from(businesses)
    .where(isNotNull(businesses.requestedName))
    .orderBy(asc(businesses.nameRequestedAt))
    .limit(limit);
