import { sql } from "#db/client.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { WALLET } from "../ledger/index.ts";
import { nextMerchants } from "../next-merchants.ts";
import { verb } from "../verb.ts";
import { advance } from "./advance.ts";

/** One sweep compares the cursors of at most this many merchants. If there are more, the next sweep continues after them. */
const MAX_MERCHANTS = 5_000;
/** The most entries and events of one merchant in a sweep, so that a long backlog does not delay the other merchants. */
const MAX_TRANSACTIONS_PER_MERCHANT = 25;

/** The merchant at which the last sweep of this process ended. */
let lastMerchantId = "";

/**
 * Counts new entries of wallets and new events into the daily figures. Looks at up to `maxMerchants` merchants, and begins again after the
 * last one. Several processes may run it at once: each entry is counted once, under the lock of its merchant's cursor. A merchant that fails
 * is logged and delays no other. Returns how many entries and events were counted.
 */
export const advanceFigures = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, maxMerchants: number = MAX_MERCHANTS): Promise<number> => {
    const { ids, lastId } = await nextMerchants(lastMerchantId, maxMerchants);
    const behind = await findBehind(ids);
    lastMerchantId = lastId;
    let counted = 0;
    await forEachAtOnce(behind, async (merchantId) => {
      try {
        const more = await advanceMerchant(merchantId);
        // A statement of its own, because `sum += await …` reads the sum before the await and would lose other additions.
        counted += more;
      } catch (error) {
        log().error({ merchant_id: merchantId, err: error }, "the figures of a merchant could not be counted");
      }
    });
    return counted;
  },
);

async function advanceMerchant(merchantId: string): Promise<number> {
  let counted = 0;
  for (let n = 0; n < MAX_TRANSACTIONS_PER_MERCHANT; n++) {
    const batch = await advance(merchantId, { waits: false });
    counted += batch?.counted ?? 0;
    if (!batch?.hasMore) break;
  }
  return counted;
}

/**
 * Returns which of the given merchants have entries or events after their cursor. Reads three rows of each by primary key and no entry: `limit 1`
 * keeps a lookup from becoming a join over all accounts (docs/decisions/0013).
 */
async function findBehind(merchantIds: string[]): Promise<string[]> {
  const rows = await sql()<{ merchant_id: string }[]>`
    select /* of all merchants */ e.merchant_id from event_counters e
    left join lateral (select * from figure_cursors where merchant_id = e.merchant_id limit 1) c on true
    left join lateral (select seq from ledger_accounts where merchant_id = e.merchant_id and account = ${WALLET} limit 1) a on true
    where e.merchant_id = any(${merchantIds}) and (e.last_sequence > coalesce(c.event_sequence, 0) or a.seq > coalesce(c.wallet_seq, 0))`;
  return rows.map(({ merchant_id }) => merchant_id);
}
