import type { products } from "#db/schema/vtu.ts";
import { type Money, money } from "#lib/money.ts";

export type ProductRow = typeof products.$inferSelect;

/** A product that a merchant can buy. The aggregator's code for it stays in the row. */
export interface Product extends Pick<ProductRow, "id" | "service" | "name" | "brand" | "variant" | "size" | "validity" | "hasLetters"> {
  /** Naira; null where the buyer chooses the amount. */
  price: Money | null;
}

export const productFromRow = ({ id, service, name, brand, variant, size, validity, hasLetters, sellingPrice }: ProductRow): Product => ({
  ...{ id, service, name, brand, variant, size, validity, hasLetters },
  price: sellingPrice === null ? null : money(sellingPrice, "NGN"),
});
