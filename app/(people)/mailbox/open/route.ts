import { unknownPath } from "#app/_http/refusals.ts";
import { publicRoute } from "#app/public-route.ts";
import { setCookie } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { isMailboxKey } from "#lib/mailbox.ts";

const COST = 30;

/** Opens the mailbox for the browser that brings the key which the start has printed. */
export const GET = publicRoute(
  (request) => {
    const key = new URL(request.url).searchParams.get("key") ?? "";
    if (!isMailboxKey(settings(), key)) return unknownPath(request.headers.get("accept") ?? "");
    return new Response(null, {
      status: 303,
      headers: { Location: "/mailbox", "Cache-Control": "no-store", "Set-Cookie": setCookie("mailbox", key) },
    });
  },
  { pages: COST },
);
