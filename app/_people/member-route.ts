import { publicRoute } from "#app/public-route.ts";
import type { MemberContext } from "#services/context.ts";
import { findMember } from "./find-member.ts";
import { sessionIn } from "./session-in.ts";

type Next = { params: Promise<{ business: string; mode: string }> };

/**
 * Wraps a route that answers a member with a document, as a page does: others are redirected, or find nothing. `pages` is the cost of one answer,
 * counted in small pages.
 */
export const memberRoute = (handle: (request: Request, ctx: MemberContext) => Promise<Response>, { pages = 1 } = {}) =>
  publicRoute<Next>(
    async (request, { params }) => {
      const { headers, url } = request;
      const { pathname, search } = new URL(url);
      const session = await sessionIn(headers.get("cookie") ?? "");
      const found = await findMember(await params, { headers, target: `${pathname}${search}`, session });
      if (!("redirect" in found)) return handle(request, found.ctx);
      const status = found.redirect === null ? 404 : 307;
      return new Response(null, {
        status,
        headers: { "Cache-Control": "no-store", ...(found.redirect !== null && { Location: found.redirect }) },
      });
    },
    { pages },
  );
