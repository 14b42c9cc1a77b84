import { z } from "zod";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { jsonRoute } from "#app/_people/json-route.ts";
import { signedIn } from "#app/_people/signed-in.ts";
import { cookieIn } from "#lib/cookies.ts";
import { finishPasskeySignIn } from "#services/users/index.ts";

const Answer = z.object({
  challenge: z.string().max(500),
  response: z.unknown(),
  next: z.string().max(1_000).optional(),
  isSecondStep: z.boolean(),
});

export const POST = jsonRoute(Answer, async ({ ctx, browser, cookies }, { challenge, response, next, isSecondStep }) => {
  // A ticket of an earlier try may belong to another account.
  const ticket = isSecondStep ? (cookieIn(cookies, "ticket") ?? "") : null;
  const result = await finishPasskeySignIn(ctx, { challenge, ticket, response, ...browser });
  switch (result.status) {
    case "signed_in": {
      const { to, cookies: set } = signedIn(result, next);
      return { content: { to }, cookies: set };
    }
    case "wrong":
      return { content: { problem: "This passkey does not belong to an account here. Use another way." } };
    case "expired":
      return { content: { problem: "That took too long. Try again, or start again with your password." } };
  }
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
