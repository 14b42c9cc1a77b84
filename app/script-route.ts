import { publicRoute } from "./public-route.ts";

type Params = { params: Promise<{ file: string }> };

/** Returns the route of the only script of a document. Its name contains its hash, so a browser may cache it forever. */
export const scriptRoute = (name: string, script: string) =>
  publicRoute<Params>(async (_request, { params }) => {
    if ((await params).file !== name) return new Response(null, { status: 404 });
    return new Response(script, {
      headers: { "Content-Type": "text/javascript; charset=utf-8", "Cache-Control": "public, max-age=31536000, immutable" },
    });
  });
