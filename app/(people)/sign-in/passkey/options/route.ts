import { z } from "zod";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { jsonRoute } from "#app/_people/json-route.ts";
import { cookieIn } from "#lib/cookies.ts";
import { beginPasskeySignIn } from "#services/users/index.ts";

export const POST = jsonRoute(z.object({ isSecondStep: z.boolean() }), async ({ ctx, cookies }, { isSecondStep }) => ({
  content: await beginPasskeySignIn(ctx, { ticket: isSecondStep ? (cookieIn(cookies, "ticket") ?? null) : null }),
}));

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
