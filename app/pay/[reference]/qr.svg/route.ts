import { publicRoute } from "#app/public-route.ts";
import { settings } from "#lib/env.ts";
import { qrPath } from "#lib/qr-path.ts";

type Params = { params: Promise<{ reference: string }> };

const QUIET = 3;

/**
 * The page's address as a QR code. Only wide screens load it. It contains nothing but the requested address, so the route does not read
 * whether the link exists.
 */
export const GET = publicRoute<Params>(async (_request, { params }) => {
  const { reference } = await params;
  if (!/^[0-9A-Z]{1,40}$/.test(reference)) return new Response(null, { status: 404 });
  const { path, size } = qrPath(`${settings().BASE_URL}/pay/${reference}`);
  const box = size + 2 * QUIET;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-QUIET} ${-QUIET} ${box} ${box}" shape-rendering="crispEdges"><path fill="#fff" d="M-${QUIET}-${QUIET}h${box}v${box}h-${box}z"/><path stroke="#000" d="${path}"/></svg>`;
  return new Response(svg, {
    headers: { "Content-Type": "image/svg+xml", "Cache-Control": "private, max-age=86400, immutable", "X-Robots-Tag": "noindex" },
  });
});
