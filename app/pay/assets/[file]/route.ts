import { publicRoute } from "#app/public-route.ts";
import { SCRIPT, SCRIPT_NAME } from "#components/pay/assets.generated.ts";

type Params = { params: Promise<{ file: string }> };

/** The only script of the payer's page. Its name contains its hash, so a browser may cache it forever. */
export const GET = publicRoute<Params>(async (_request, { params }) => {
  const { file } = await params;
  if (file !== SCRIPT_NAME) return new Response(null, { status: 404 });
  return new Response(SCRIPT, {
    headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable" },
  });
});
