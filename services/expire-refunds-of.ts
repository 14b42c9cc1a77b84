import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";

/**
 * Ends the time of the refunds that a person has made since a time and whose customers have named no account yet, because somebody else was in the account.
 * The worker gives their money back. It knows the table alone, because the service of users calls it, and refunds depend on that.
 */
export async function expireRefundsOf(
  tx: Tx,
  { userId, since }: { userId: string; since: Date },
): Promise<{ merchantId: string; id: string }[]> {
  const rows = await tx.execute<{ merchant_id: string; id: string }>(sql`
    update refunds set expires_at = now()
    where made_by = ${`member:${userId}`} and created_at >= ${since.toISOString()}::text::timestamptz and status = 'needs_account' returning merchant_id, id`);
  return rows.map(({ merchant_id: merchantId, id }) => ({ merchantId, id }));
}
