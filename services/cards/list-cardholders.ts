import { and, desc, eq, lt } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders } from "#db/schema/cards.ts";
import type { Context } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import type { CardholderRow } from "./card.ts";
import type { ListCardholdersQuery } from "./cardholder-schemas.ts";

/** Newest first. */
export async function listCardholders({ merchant }: Context, request: ListCardholdersQuery): Promise<Page<CardholderRow>> {
  const owner = `${merchant.id}/cardholders`;
  const before = request.cursor ? Number(decodeCursor(owner, request.cursor)) : undefined;
  const { email, kyc_status: status } = request;
  const rows = await db()
    .select()
    .from(cardholders)
    .where(
      and(
        eq(cardholders.merchantId, merchant.id),
        before === undefined ? undefined : lt(cardholders.id, before),
        email === undefined ? undefined : eq(cardholders.email, email),
        status === undefined ? undefined : eq(cardholders.kycStatus, status),
      ),
    )
    .orderBy(desc(cardholders.id))
    .limit(request.limit + 1);
  return toPage(owner, rows, request.limit, ({ id }) => String(id));
}
