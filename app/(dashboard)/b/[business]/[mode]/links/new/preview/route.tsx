import { memberRoute } from "#app/_people/member-route.ts";
import { drawPreview } from "#app/(dashboard)/_preview/draw-preview.tsx";
import { nairaTyped } from "#lib/naira-typed.ts";
import { getBrand } from "#services/merchants/index.ts";

/** The payer's page of a link that is not made yet, for the form beside it. */
export const GET = memberRoute(async (request, ctx) => {
  const { searchParams: typed } = new URL(request.url);
  return drawPreview(ctx, {
    amount: nairaTyped(typed.get("amount") ?? ""),
    description: typed.get("description") ?? "",
    brand: await getBrand(ctx),
  });
});
