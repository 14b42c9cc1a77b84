import { notFound } from "next/navigation";
import { Problem } from "#lib/problem.ts";
import { getLinkByReference, type PaymentLink } from "#services/checkout/index.ts";
import type { MemberContext } from "#services/context.ts";

/** Returns a link of the reader's merchant. An unknown reference, also one of another business, is a page that is not found. */
export async function linkOrNotFound(ctx: MemberContext, reference: string): Promise<PaymentLink> {
  try {
    return await getLinkByReference(ctx, reference);
  } catch (error) {
    if (error instanceof Problem && error.code === "RESOURCE_NOT_FOUND") notFound();
    throw error;
  }
}
