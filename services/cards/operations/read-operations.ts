import { db } from "#db/client.ts";
import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { type CardOperation, type OperationRow, operationFromRow } from "../card-operation.ts";
import { balanceOf, findOperation } from "../rows.ts";

/** Returns an operation on a card of the merchant. Throws RESOURCE_NOT_FOUND. */
export async function getOperation({ merchant }: MerchantContext, id: string): Promise<CardOperation> {
  const row = await findOperation(merchant.id, id);
  if (!row) throw notFound("card operation");
  return withCardBalance(row);
}

/** As `getOperation`. Throws RESOURCE_NOT_FOUND also if the operation is of another card. */
export async function getOperationOf(ctx: MerchantContext, cardId: string, id: string): Promise<CardOperation> {
  const operation = await getOperation(ctx, id);
  if (operation.cardId !== cardId) throw notFound("card operation");
  return operation;
}

/** Returns an operation with the current balance of its card. */
export const withCardBalance = async (row: OperationRow): Promise<CardOperation> =>
  operationFromRow(row, await balanceOf(db(), { merchantId: row.merchantId, id: row.cardId }));
