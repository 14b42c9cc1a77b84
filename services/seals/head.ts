import { type Sql, sql } from "#db/client.ts";
import type { SystemContext } from "../context.ts";
import { nextMerchants } from "../next-merchants.ts";

/** A seal of a wallet at some time. One that is kept outside of the database shows that the history still contains it. */
export interface WalletHead {
  merchantId: string;
  seq: bigint;
  hash: string;
}

const BATCH = 1_000;

/** Yields the newest seal of every wallet, by the id of the merchant. `client`: another database than that of the settings. */
export async function* listWalletHeads(_ctx: SystemContext, client?: Sql): AsyncGenerator<WalletHead> {
  const query = client ?? sql();
  for (let after = ""; ; ) {
    const { ids, lastId } = await nextMerchants(after, BATCH, query);
    // One read of an index for each merchant: no seal but the newest is read.
    const heads = await query<{ merchant_id: string; seq: bigint; hash: string }[]>`
      select /* of all merchants */ e.merchant_id, s.seq, s.hash from event_counters e
      cross join lateral (select seq, hash from wallet_seals where merchant_id = e.merchant_id order by seq desc limit 1) s
      where e.merchant_id = any(${ids}) order by e.merchant_id`;
    for (const { merchant_id: merchantId, seq, hash } of heads) yield { merchantId, seq, hash };
    if (lastId === "") return;
    after = lastId;
  }
}
