import { exportRoute } from "#app/_exports/export-route.ts";
import { pagesOf } from "#app/_exports/pages-of.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { ListPurchasesQuery, listPurchases, readBrands, type VisiblePurchase } from "#services/vtu/index.ts";
import { columns, type ExportedPurchase } from "./columns.ts";

export const GET = exportRoute({
  name: "exportPurchases",
  list: "purchases",
  area: "vtu",
  permission: "vtu:read",
  filters: ListPurchasesQuery.omit({ limit: true, cursor: true }),
  columns,
  pages: (ctx, filters) => withBrands(pagesOf((page) => listPurchases(ctx, { ...filters, ...page }))),
});

async function* withBrands(pages: AsyncGenerator<VisiblePurchase[], void>): AsyncGenerator<ExportedPurchase[], void> {
  for await (const page of pages) {
    const brands = await readBrands(page.map(({ productId }) => productId));
    yield page.map((purchase) => ({ ...purchase, brand: brands.get(purchase.productId) }));
  }
}

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
