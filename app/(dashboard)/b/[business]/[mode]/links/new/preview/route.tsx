import { requireMember } from "#app/_people/require-member.ts";
import { drawPreview } from "#app/(dashboard)/_preview/draw-preview.tsx";
import { publicRoute } from "#app/public-route.ts";
import { nairaTyped } from "#lib/naira-typed.ts";
import type { MemberContext } from "#services/context.ts";
import { getBrand } from "#services/merchants/index.ts";

type Next = { params: Promise<{ business: string; mode: string }> };

/** The payer's page of a link that is not made yet, for the form beside it. */
export async function GET(request: Request, { params }: Next): Promise<Response> {
  // Outside of the wrapper, because Next itself must see the errors that mean a redirect or a 404.
  const { ctx } = await requireMember(params);
  return draw(request, ctx);
}

const draw = publicRoute<MemberContext>(async (request, ctx) => {
  const { searchParams: typed } = new URL(request.url);
  return drawPreview(ctx, {
    amount: nairaTyped(typed.get("amount") ?? ""),
    description: typed.get("description") ?? "",
    brand: await getBrand(ctx),
  });
});
