import { sql } from "#db/client.ts";
import type { MerchantContext } from "../../context.ts";
import { type OperationOfCard, readOperationsOfCards } from "./list-operations.ts";

/** Returns the merchant's operation with an id, with its card, in a list of at most one. */
export function findOperations({ merchant }: MerchantContext, id: string): Promise<OperationOfCard[]> {
  const query = sql();
  return readOperationsOfCards(query, merchant.id, query`select ${id}::text as id`, query``);
}
