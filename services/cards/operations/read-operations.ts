import { notFound } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import type { CardOperation } from "../card-operation.ts";
import { findOperation, withCardBalance } from "../rows.ts";

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
