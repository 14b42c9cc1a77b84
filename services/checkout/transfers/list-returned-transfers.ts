import { sql } from "#db/client.ts";
import { fromRow } from "#db/from-row.ts";
import { bankTransfers } from "#db/schema/checkout.ts";
import { leastIdAt } from "#lib/ids.ts";
import { type Money, money } from "#lib/money.ts";
import type { MerchantContext } from "../../context.ts";
import { type BankTransfer, transferFromRow } from "../payment-link.ts";

/** Money that did not pay its link and goes back to its sender. */
export interface ReturnedTransfer extends BankTransfer {
  id: string;
  link: { reference: string; amount: Money };
}

interface RawReturned {
  link_reference: string;
  link_amount: bigint;
}

/** Returns the latest transfers since a time that go back to their senders, newest first. A partial index contains just these transfers. */
export async function listReturnedTransfers(
  { merchant }: MerchantContext,
  { since, limit }: { since: Date; limit: number },
): Promise<ReturnedTransfer[]> {
  const rows = await sql()<RawReturned[]>`
    select t.*, l.reference as link_reference, l.amount as link_amount
    from (
      select * from bank_transfers
      where merchant_id = ${merchant.id} and disposition = 'returned' and id >= ${leastIdAt("bankTransfer", since.getTime())}
      order by id desc limit ${limit}
    ) t
    join payment_links l on l.merchant_id = ${merchant.id} and l.id = t.link_id
    order by t.id desc`;
  return rows.map((row) => {
    const transfer = fromRow(bankTransfers, row);
    const link = { reference: row.link_reference, amount: money(row.link_amount, transfer.currency) };
    return { ...transferFromRow(transfer), id: transfer.id, link };
  });
}
