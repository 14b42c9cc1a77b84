import { type Sql, sql } from "#db/client.ts";
import type { SystemContext } from "../context.ts";

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
    // One read of an index for each merchant: no seal but the newest is read.
    const heads = await query<{ merchant_id: string; seq: bigint | null; hash: string | null }[]>`
      select e.merchant_id, s.seq, s.hash
      from (select merchant_id from event_counters where merchant_id > ${after} order by merchant_id limit ${BATCH}) e
      left join lateral (select seq, hash from wallet_seals where merchant_id = e.merchant_id order by seq desc limit 1) s on true
      order by e.merchant_id`;
    for (const { merchant_id: merchantId, seq, hash } of heads) if (seq !== null && hash !== null) yield { merchantId, seq, hash };
    const last = heads.at(-1);
    if (!last || heads.length < BATCH) return;
    after = last.merchant_id;
  }
}
