import { db, sql } from "#db/client.ts";
import { lagosDateTime } from "#lib/time.ts";
import { alertOperators, raiseAlert } from "../alerts/index.ts";
import type { SystemContext } from "../context.ts";
import { verb } from "../verb.ts";

interface Ending {
  merchant_id: string;
  id: string;
  valid_until: string;
}

const MAX_ROWS = 200;
/** The platform's merchants. Their rates apply to all merchants without a rate of their own. */
const MODE_OF_PLATFORM = new Map<string, "test" | "live">([
  ["mer_platform_test", "test"],
  ["mer_platform_live", "live"],
]);

/**
 * Alerts a merchant to its own rate that ends within a day, once per rate, and operators to the general rate of a mode. Skips rates that are
 * valid for less than two days, because they are renewed all the time, and rates that another one replaces. Returns how many it
 * alerted to, at most 200.
 */
export const alertOnEndingRates = verb({ actor: ["system"] }, async (_ctx: SystemContext): Promise<number> => {
  const ending = await sql()<Ending[]>`
    select r.merchant_id, r.id, r.valid_until from exchange_rates r
    where r.valid_until between now() and now() + interval '1 day' and r.valid_from <= now()
      and r.valid_until - r.valid_from >= interval '2 days'
      and not exists (
        select from exchange_rates n where n.merchant_id = r.merchant_id and n.id <> r.id and n.valid_until > r.valid_until
          and n.valid_from <= r.valid_until)
      and not exists (select from alerts a where a.merchant_id = r.merchant_id and a.type = 'exchange_rate.ending' and a.cause = r.id)
    order by r.valid_until limit ${MAX_ROWS}`;
  for (const { merchant_id: merchantId, id, valid_until } of ending) {
    const ends = lagosDateTime(new Date(valid_until));
    const mode = MODE_OF_PLATFORM.get(merchantId);
    if (mode) {
      await alertOperators(mode, {
        ...{ type: "exchange_rate.ending", resourceId: id },
        message: `The general exchange rate of ${mode} mode ends on ${ends}. Without another one, cards cannot be funded: npm run oja -- set-rate`,
      });
    } else {
      await raiseAlert(db(), merchantId, {
        ...{ type: "exchange_rate.ending", resourceId: id, cause: id },
        message: `Your own rate for US dollars ends on ${ends}. After that the general rate counts.`,
      });
    }
  }
  return ending.length;
});
