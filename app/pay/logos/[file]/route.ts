import { payer } from "#app/pay/payer.ts";
import { publicRoute } from "#app/public-route.ts";
import { findLogo } from "#services/merchants/index.ts";

type Params = { params: Promise<{ file: string }> };

/** A merchant's logo. Its name contains its hash, so a browser may cache it forever. */
export const GET = publicRoute<Params>(async (_request, { params }) => {
  const { file } = await params;
  const logo = file.endsWith(".webp") ? await findLogo(payer, file.slice(0, -".webp".length)) : undefined;
  if (!logo) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(logo), {
    headers: {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Security-Policy": "default-src 'none'",
    },
  });
});
