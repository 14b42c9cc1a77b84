import { z } from "zod";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { jsonRoute } from "#app/_people/json-route.ts";
import { cookieIn } from "#lib/cookies.ts";
import { beginPasskeySignIn } from "#services/users/index.ts";

export const POST = jsonRoute(z.object({}), async ({ ctx, cookies }) => ({
  content: await beginPasskeySignIn(ctx, { ticket: cookieIn(cookies, "ticket") ?? null }),
}));

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
