import { publicRoute } from "#app/public-route.ts";
import { settings } from "#lib/env.ts";
import { qrPath } from "../../qr-path.ts";

type Params = { params: Promise<{ reference: string }> };

const QUIET = 3;

/**
 * A page's address to be scanned, for screens that are wide: phones never ask for it. It says nothing but the address that it was asked
 * for, so nobody looks whether there is such a page.
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
