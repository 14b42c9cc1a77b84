import { sql } from "drizzle-orm";
import { db, type Tx } from "#db/client.ts";
import { Batches } from "#lib/batches.ts";
import { Problem } from "#lib/problem.ts";
import { postTransfers, SETTLEMENT_VTU } from "../ledger/index.ts";
import { hold } from "./journal.ts";
import type { PurchaseRow } from "./purchase.ts";
import { DUPLICATE_WITHIN_MS, waitAfter } from "./schedule.ts";

/** A purchase as it was quoted. */
export type Quoted = Pick<
  PurchaseRow,
  | "merchantId"
  | "id"
  | "service"
  | "provider"
  | "productId"
  | "productCode"
  | "productName"
  | "recipient"
  | "variant"
  | "customer"
  | "quantity"
  | "unitPrice"
  | "amount"
> & {
  /** The merchant says that the same again is meant. */
  isMeant: boolean;
};

type Claimed =
  | { status: "claimed"; purchase: PurchaseRow }
  | { status: "known" }
  | { status: "insufficient" }
  | { status: "duplicate"; id: string };

const MOST_AT_ONCE = 32;
const claims = new Batches<Quoted, Claimed>(claimAll, MOST_AT_ONCE);

/**
 * Stores a purchase and sets its money aside, in one commit, before the aggregator hears of it. Answers the purchase to whoever stored
 * it, who alone may ask for it, and undefined to anybody after that. Throws DUPLICATE_PURCHASE or INSUFFICIENT_BALANCE.
 */
export async function claimPurchase(quoted: Quoted): Promise<PurchaseRow | undefined> {
  const claimed = await claims.add(quoted.merchantId, quoted);
  switch (claimed.status) {
    case "claimed":
      return claimed.purchase;
    case "known":
      return undefined;
    case "insufficient":
      throw new Problem("INSUFFICIENT_BALANCE", "The wallet does not cover this purchase. Add money, then send it again.");
    case "duplicate":
      throw new Problem(
        "DUPLICATE_PURCHASE",
        `The same was bought for ${quoted.recipient} a moment ago (${claimed.id}). If you mean it, send allow_duplicate: true or an Idempotency-Key.`,
      );
  }
}

async function claimAll(merchantId: string, batch: Quoted[]): Promise<Claimed[]> {
  return db().transaction(async (tx) => {
    const duplicates = await findDuplicates(tx, merchantId, batch);
    const wanted = batch.filter((quoted) => !duplicates.has(quoted));
    if (wanted.length === 0) return batch.map((quoted) => ({ status: "duplicate", id: duplicates.get(quoted) ?? "" }));
    const results = await postTransfers(tx, merchantId, wanted.map(hold));
    const covered = wanted.filter((_, n) => results[n]?.result === "posted");
    const stored = await store(tx, merchantId, covered);
    const uncovered = new Set(wanted.filter((quoted) => !covered.includes(quoted)).map(({ id }) => id));
    return batch.map((quoted): Claimed => {
      const duplicate = duplicates.get(quoted);
      // One that repeats what was not covered is not covered either.
      if (duplicate && !uncovered.has(duplicate)) return { status: "duplicate", id: duplicate };
      if (!covered.includes(quoted)) return { status: "insufficient" };
      const purchase = stored.get(quoted.id);
      return purchase ? { status: "claimed", purchase } : { status: "known" };
    });
  });
}

const sameThing = ({ recipient, productId, amount }: Pick<Quoted, "recipient" | "productId" | "amount">) =>
  `${recipient}/${productId}/${amount}`;

/**
 * Those that repeat another which is not over, or was a success: one of the last seconds, or of the same batch. Two processes look one
 * after the other, since both lock the account that every purchase posts to.
 */
async function findDuplicates(tx: Tx, merchantId: string, batch: Quoted[]): Promise<Map<Quoted, string>> {
  const doubtful = batch.filter(({ isMeant, recipient }) => !isMeant && recipient !== null);
  const duplicates = new Map<Quoted, string>();
  if (doubtful.length === 0) return duplicates;
  await tx.execute(sql`select from ledger_accounts where merchant_id = ${merchantId} and account = ${SETTLEMENT_VTU} for update`);
  const recipients = [...new Set(doubtful.map(({ recipient }) => recipient))];
  const rows = await tx.execute<{ id: string; recipient: string; product_id: number; amount: string }>(sql`
    select id, recipient, product_id, amount::text from purchases
    where merchant_id = ${merchantId} and recipient = any(${sql.param(recipients)}::text[]) and status in ('processing', 'success')
      and created_at > now() - ${DUPLICATE_WITHIN_MS} * interval '1 ms'`);
  const seen = new Map(rows.map((row) => [sameThing({ ...row, productId: row.product_id, amount: BigInt(row.amount) }), row.id]));
  for (const quoted of batch) {
    const known = seen.get(sameThing(quoted));
    // Its own row, where an earlier try of this batch had stored it.
    if (known !== undefined && known !== quoted.id && doubtful.includes(quoted)) duplicates.set(quoted, known);
    else if (quoted.recipient !== null) seen.set(sameThing(quoted), quoted.id);
  }
  return duplicates;
}

/** By id; without those that were stored before. */
async function store(tx: Tx, merchantId: string, batch: Quoted[]): Promise<Map<string, PurchaseRow>> {
  if (batch.length === 0) return new Map();
  const given = batch.map(
    ({ id, service, provider, productId, productCode, productName, recipient, variant, customer, quantity, unitPrice, amount }) => ({
      ...{ id, service, provider, productId, productCode, productName, recipient, variant, customer, quantity },
      unitPrice: String(unitPrice),
      amount: String(amount),
    }),
  );
  const rows = await tx.execute<{ id: string; created_at: string; next_attempt_at: string }>(sql`
    with fresh as (
      insert into purchases (merchant_id, id, service, provider, product_id, product_code, product_name, recipient, variant, customer, quantity,
        unit_price, amount, next_attempt_at)
      select ${merchantId}, id, service, provider, "productId", "productCode", "productName", recipient, variant, customer, quantity,
        "unitPrice", amount, now() + ${waitAfter(0)} * interval '1 ms'
      from jsonb_to_recordset(${JSON.stringify(given)}::text::jsonb) as given(id text, service vtu_service, provider text, "productId" int,
        "productCode" text, "productName" text, recipient text, variant text, customer jsonb, quantity int, "unitPrice" bigint, amount bigint)
      on conflict do nothing returning id, provider, created_at, next_attempt_at
    ), directory as (
      insert into aggregator_references (provider, purchase_id, merchant_id) select provider, id, ${merchantId} from fresh on conflict do nothing
    )
    select id, created_at, next_attempt_at from fresh`);
  const quoted = new Map(batch.map((each) => [each.id, each]));
  return new Map(
    rows.flatMap(({ id, created_at, next_attempt_at }) => {
      const mine = quoted.get(id);
      return mine ? [[id, toFresh(mine, new Date(created_at), new Date(next_attempt_at))] as const] : [];
    }),
  );
}

function toFresh({ isMeant: _meant, ...quoted }: Quoted, createdAt: Date, nextAttemptAt: Date): PurchaseRow {
  return {
    ...quoted,
    status: "processing",
    charged: 0n,
    secrets: null,
    units: null,
    failureReason: null,
    attempts: 0,
    turn: 0,
    corrections: 0,
    nextAttemptAt,
    createdAt,
    completedAt: null,
  };
}
