import { and, desc, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders, OPENS_CARDHOLDERS_NEWEST } from "#db/schema/cards.ts";
import type { MerchantContext } from "../context.ts";
import { decodeCursor, type Page, toPage } from "../pagination.ts";
import { type Cardholder, cardholderFromRow } from "./cardholder.ts";
import type { ListCardholdersQuery } from "./contract.ts";

/** Returns one page of cardholders, newest first. */
export async function listCardholders({ merchant }: MerchantContext, request: ListCardholdersQuery): Promise<Page<Cardholder>> {
  const owner = `${merchant.id}/cardholders`;
  const before = request.cursor ? decodeCursor(owner, request.cursor) : undefined;
  const { email, kyc_status: status } = request;
  const rows = await db()
    .select()
    .from(cardholders)
    .where(
      and(
        eq(cardholders.merchantId, merchant.id),
        sql.raw(OPENS_CARDHOLDERS_NEWEST),
        before === undefined ? undefined : isOlderThan(before),
        email === undefined ? undefined : eq(cardholders.email, email),
        status === undefined ? undefined : eq(cardholders.kycStatus, status),
      ),
    )
    .orderBy(desc(cardholders.createdAt), desc(cardholders.id))
    .limit(request.limit + 1);
  return toPage(owner, rows.map(cardholderFromRow), request.limit, ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`);
}

/** Returns a condition on the creation time and the id. `position` names the last listed cardholder by both, because ids are random. */
function isOlderThan(position: string): SQL {
  const [createdAt, id] = position.split(" ");
  return sql`(${cardholders.createdAt}, ${cardholders.id}) < (${createdAt}::timestamptz, ${id}::bigint)`;
}
