import { and, eq, inArray } from "drizzle-orm";
import type { Database, Tx } from "#db/client.ts";
import { ledgerTransfers } from "#db/schema/ledger.ts";
import { formatMoney, money } from "#lib/money.ts";
import { raiseAlert } from "../alerts/index.ts";
import { RECEIVABLE } from "./accounts.ts";

/** Alerts a merchant once to each of the given transfers that the wallet could not cover. The caller has just posted them. */
export async function alertOnDebts(tx: Tx | Database, merchantId: string, transfers: readonly { key: string }[]): Promise<void> {
  // An empty wallet owes the whole transfer. Otherwise the ledger posts the part that is owed under a key of its own.
  const keys = transfers.flatMap(({ key }) => [key, `${key}:overflow`]);
  const owed = await tx
    .select({ id: ledgerTransfers.id, amount: ledgerTransfers.amount })
    .from(ledgerTransfers)
    .where(
      and(
        eq(ledgerTransfers.merchantId, merchantId),
        inArray(ledgerTransfers.key, keys),
        eq(ledgerTransfers.result, "posted"),
        eq(ledgerTransfers.debitAccount, RECEIVABLE),
      ),
    );
  for (const { id, amount } of owed) {
    if (amount === null) throw new Error(`the posted transfer ${id} has no amount`);
    await raiseAlert(tx, merchantId, {
      ...{ type: "wallet.debt", resourceId: id, cause: id },
      message: `Your wallet could not cover ${formatMoney(money(amount, "NGN"))}. You owe it: the next money that comes in pays it first.`,
    });
  }
}
