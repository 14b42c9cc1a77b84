import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formStateIn } from "#app/_people/form-state.ts";
import { isOwnPage, returnTo } from "#app/_people/return-to.ts";
import { sessionIn } from "#app/_people/session-in.ts";
import { signInDocument } from "#app/_people/sign-in/document.tsx";
import { publicRoute } from "#app/public-route.ts";

export const GET = publicRoute(async (request) => {
  const cookies = request.headers.get("cookie") ?? "";
  const then = new URL(request.url).searchParams.get("then") ?? undefined;
  if (await sessionIn(cookies))
    return new Response(null, { status: 307, headers: { Location: returnTo(then), "Cache-Control": "no-store" } });
  const next = then !== undefined && isOwnPage(then) ? then : undefined;
  const says = formStateIn(cookies, "sign-in");
  // A success of an earlier page, as of signing out, is no answer to a page that asks to sign in first.
  if (next !== undefined && says.notice?.kind === "success") delete says.notice;
  return signInDocument({ says, next });
});

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
