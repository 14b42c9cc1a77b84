import { and, eq, type SQL, sql } from "drizzle-orm";
import { db } from "#db/client.ts";
import { cardholders, OPENS_CARDHOLDERS_NEWEST } from "#db/schema/cards.ts";
import type { MerchantContext } from "../../context.ts";
import { orderOf } from "../../list-window.ts";
import { type Page, readPage, type Window } from "../../pagination.ts";
import { type Cardholder, cardholderFromRow } from "../cardholder.ts";
import type { ListCardholdersQuery } from "../contract.ts";

/** Literals, not parameters: a plan uses the partial index of a status only then. */
const WITH_STATUS: Record<Cardholder["kycStatus"], SQL> = {
  PENDING: sql`${cardholders.kycStatus} = 'PENDING'`,
  APPROVED: sql`${cardholders.kycStatus} = 'APPROVED'`,
  REJECTED: sql`${cardholders.kycStatus} = 'REJECTED'`,
};

/** Returns one page of cardholders, newest first. */
export const listCardholders = ({ merchant }: MerchantContext, request: ListCardholdersQuery): Promise<Page<Cardholder>> =>
  readPage({
    owner: `${merchant.id}/cardholders`,
    request,
    // Their ids are random, so they are sorted by the time of their creation.
    positionOf: ({ createdAt, id }) => `${createdAt.toISOString()} ${id}`,
    read: async (window) => {
      const { email, kyc_status: status } = request;
      const rows = await db()
        .select()
        .from(cardholders)
        .where(
          and(
            eq(cardholders.merchantId, merchant.id),
            sql.raw(OPENS_CARDHOLDERS_NEWEST),
            isBeyondTime(window),
            email === undefined ? undefined : eq(cardholders.email, email),
            status && WITH_STATUS[status],
          ),
        )
        .orderBy(orderOf(cardholders.createdAt, window), orderOf(cardholders.id, window))
        .limit(window.limit);
      return { rows: rows.map(cardholderFromRow) };
    },
  });

/** Returns a condition on the creation time and the id: the position of a window names both. */
function isBeyondTime({ direction, position, includesPosition }: Window): SQL | undefined {
  if (position === undefined) return undefined;
  const [createdAt, id] = position.split(" ");
  const compared = sql.raw(`${direction === "older" ? "<" : ">"}${includesPosition ? "=" : ""}`);
  return sql`(${cardholders.createdAt}, ${cardholders.id}) ${compared} (${createdAt}::timestamptz, ${id}::bigint)`;
}
