import { desc, eq } from "drizzle-orm";
import { db, sql as query } from "#db/client.ts";
import { walletSeals } from "#db/schema/seals.ts";
import { forEachAtOnce } from "#lib/for-each-at-once.ts";
import { log } from "#lib/log.ts";
import type { SystemContext } from "../context.ts";
import { WALLET } from "../ledger/index.ts";
import { nextMerchants } from "../next-merchants.ts";
import { verb } from "../verb.ts";
import { extend, readEntries, START } from "./chain.ts";
import type { Seal } from "./seal.ts";
import { isForged, signed } from "./signing.ts";

/** One sweep compares the wallets of at most this many merchants. If there are more, the next sweep continues after them. */
const MAX_MERCHANTS = 5_000;
const MAX_ENTRIES = 2_000;
/** The most seals of one merchant in a sweep, so that a long backlog does not delay the other merchants. */
const MAX_SEALS = 25;

/** The merchant at which the last sweep of this process ended. */
let lastMerchantId = "";

/**
 * Seals new entries of wallets, off the path of money: reads what has committed, and stores a signed head. Looks at up to `maxMerchants` merchants,
 * and begins again after the last one. Two processes that seal one wallet compute the same chain, so both may store their heads.
 * A merchant that fails is logged and delays no other. Returns how many seals were stored.
 */
export const sealWallets = verb(
  { actor: ["system"] },
  async (_ctx: SystemContext, maxMerchants: number = MAX_MERCHANTS): Promise<number> => {
    const { ids, lastId } = await nextMerchants(lastMerchantId, maxMerchants);
    const unsealed = await findUnsealed(ids);
    lastMerchantId = lastId;
    let sealed = 0;
    await forEachAtOnce(unsealed, async (wallet) => {
      try {
        const more = await sealWallet(wallet);
        // A statement of its own, because `sum += await …` reads the sum before the await and would lose other additions.
        sealed += more;
      } catch (error) {
        log().error({ merchant_id: wallet.merchantId, err: error }, "a wallet could not be sealed");
      }
    });
    return sealed;
  },
);

/** Seals the entries of a wallet up to `to`. Returns how many seals that took. */
async function sealWallet({ merchantId, to, at }: Unsealed): Promise<number> {
  const last = await findLastSeal(merchantId);
  // A history sealed without our key must not be continued with it. Seals of older keys cannot be checked here; `check:ledger` names them.
  if (last && isForged(last)) throw new Error(`the last seal of ${merchantId} was not signed by us`);
  let head = last ?? START;
  let seals = 0;
  while (head.seq < to && seals < MAX_SEALS) {
    const entries = await readEntries(query(), merchantId, { after: head.seq, to, limit: MAX_ENTRIES });
    if (entries.length === 0) throw new Error(`${merchantId} has no entry after ${head.seq}, but its wallet counts ${to}`);
    head = extend(head, entries);
    await db()
      .insert(walletSeals)
      .values(signed({ merchantId, ...head, sealedAt: at }))
      .onConflictDoNothing();
    seals += 1;
  }
  return seals;
}

async function findLastSeal(merchantId: string): Promise<Seal | undefined> {
  const [seal] = await db()
    .select()
    .from(walletSeals)
    .where(eq(walletSeals.merchantId, merchantId))
    .orderBy(desc(walletSeals.seq))
    .limit(1);
  return seal;
}

interface Unsealed {
  merchantId: string;
  /** The number of the wallet's last entry. */
  to: bigint;
  /** The database's time of the read, in milliseconds, so that the signed time equals the stored one. */
  at: Date;
}

/**
 * Returns which of the given merchants have wallet entries after their last seal. Reads three rows of each by primary key and no entry: `limit 1`
 * keeps a lookup from becoming a join over all accounts (docs/decisions/0013).
 */
async function findUnsealed(merchantIds: string[]): Promise<Unsealed[]> {
  const rows = await query()<{ merchant_id: string; seq: bigint; at: string }[]>`
    select /* of all merchants */ e.merchant_id, a.seq, now()::timestamptz(3) as at from event_counters e
    cross join lateral (select seq from ledger_accounts where merchant_id = e.merchant_id and account = ${WALLET} limit 1) a
    left join lateral (select seq from wallet_seals where merchant_id = e.merchant_id order by seq desc limit 1) s on true
    where e.merchant_id = any(${merchantIds}) and a.seq > coalesce(s.seq, 0)`;
  return rows.map(({ merchant_id: merchantId, seq: to, at }) => ({ merchantId, to, at: new Date(at) }));
}
