import { recipientText } from "#components/top-ups/numbers.ts";
import type { Plan } from "#components/top-ups/plan-rows.tsx";
import type { Recent } from "#components/top-ups/recents.tsx";
import type { listProducts, VisiblePurchase } from "#services/vtu/index.ts";

export type Product = Awaited<ReturnType<typeof listProducts>>[number];

const NAMES: Record<string, string> = {
  ...{ mtn: "MTN", glo: "Glo", airtel: "Airtel", "9mobile": "9mobile" },
  ...{ dstv: "DSTV", gotv: "GOTV", startimes: "Startimes" },
};

const nameOfBrand = (brand: string): string => NAMES[brand] ?? brand.toUpperCase();

const ORDER = Object.keys(NAMES);
const placeOf = (brand: string): number => (ORDER.includes(brand) ? ORDER.indexOf(brand) : ORDER.length);

/** Returns the brands of products as choices, in the order in which people know them. */
export function brandsOf(products: readonly Product[]) {
  const brands = [...new Set(products.map(({ brand }) => brand))].sort((one, other) => placeOf(one) - placeOf(other));
  return brands.map((value) => ({ value, label: nameOfBrand(value) }));
}

/** Returns the products that have a price, as rows to choose from. */
export const toPlans = (products: readonly Product[]): Plan[] =>
  products.flatMap(({ id, name, brand, size, variant, validity, price }) =>
    price === null
      ? []
      : [{ id, name, brand, size, validity, price, title: size ?? name, note: [variant, validity].filter(Boolean).join(", ") }],
  );

const MAX_RECENTS = 4;

/** Returns the numbers of purchases, newest first, each once. */
export function recentsOf(purchases: readonly VisiblePurchase[], products: readonly Product[]): Recent[] {
  const byId = new Map(products.map((product) => [product.id, product]));
  const recents = new Map<string, Recent>();
  for (const { recipient, productId, variant } of purchases) {
    const product = byId.get(productId);
    if (!recipient || recents.has(recipient) || !product) continue;
    const note = product.service === "electricity" ? product.name.replace(/\s*\(.*\)$/, "") : nameOfBrand(product.brand);
    recents.set(recipient, { number: recipient, text: recipientText(recipient), note, productId, brand: product.brand, variant });
    if (recents.size === MAX_RECENTS) break;
  }
  return [...recents.values()];
}

/** Returns the name of a purchase's product if the product is no longer sold. */
export const whatIsGone = ({ productId, productName }: VisiblePurchase, products: readonly Product[]): string | undefined =>
  products.some(({ id }) => id === productId) ? undefined : productName;

/** Returns an amount as a field has it: `1500` or `99.50`. */
export function amountText(minor: bigint): string {
  const kobo = minor % 100n;
  return kobo === 0n ? String(minor / 100n) : `${minor / 100n}.${String(kobo).padStart(2, "0")}`;
}
