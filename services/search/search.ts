import type { MerchantContext } from "../context.ts";
import { Findings, type SearchResult } from "./findings.ts";
import { lookUp } from "./look-up.ts";
import { shapesOf } from "./shapes.ts";

/**
 * Returns the merchant's records that match a text exactly, by the shapes of the text: a reference, an order number, an id, an account
 * number, a bank session, a phone, a meter, a smart card, an email, the last four digits of a card, or a cardholder's id. Of each kind the
 * newest, at most ten, and only kinds that the caller may see. Text without a known shape finds nothing, without a query. Changes nothing.
 */
export async function search(ctx: MerchantContext, text: string): Promise<SearchResult> {
  const found = new Findings(ctx);
  await Promise.all(shapesOf(text).map((shape) => lookUp({ ctx, found }, shape)));
  return found.result();
}
