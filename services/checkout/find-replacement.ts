import { linkOfReference } from "#db/schema/checkout.ts";
import { MAX_REPLACEMENTS_FOLLOWED } from "./expire-replacement.ts";
import type { PaymentLink } from "./payment-link.ts";
import { run } from "./rows.ts";

const NEWEST = `
  with recursive chain as (
    select $2::text as next, 0 as followed, null::text as reference, null::link_status as status, null::timestamptz as expires_at
    union all
    select l.replaced_by, c.followed + 1, l.reference, l.status, l.expires_at
    from chain c cross join lateral ${linkOfReference("$1", "c.next")} l
    where c.followed < ${MAX_REPLACEMENTS_FOLLOWED}
  )
  select reference from chain where status = 'success' or (status = 'pending' and expires_at > now()) order by followed desc limit 1`;

/**
 * Returns the reference of the link that a payer of this expired link should open: the newest of its chain of replacements that can be paid
 * or is paid. Returns null where the link is not expired, and where no link of the chain can be paid or is paid.
 */
export async function findReplacement({ merchantId, status, replacedBy }: PaymentLink): Promise<string | null> {
  if (status !== "expired" || replacedBy === null) return null;
  const [newest] = await run<{ reference: string }>(NEWEST, [merchantId, replacedBy]);
  return newest?.reference ?? null;
}
