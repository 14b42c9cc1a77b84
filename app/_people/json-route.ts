import type { z } from "zod";
import { publicRoute } from "#app/public-route.ts";
import { Problem } from "#lib/problem.ts";
import { readAtMost } from "#lib/read-at-most.ts";
import { BUSY, COST_OF_FORM, type Next, refusalOfForeign, type Sender, senderOf } from "./form-route.ts";

const MAX_BYTES = 16 * 1024;

/** Returns the route of a step of signing in that a script asks for. The answer is JSON; cookies go with it. */
export function jsonRoute<Body extends z.ZodType>(
  schema: Body,
  handle: (sender: Sender, body: z.output<Body>) => Promise<{ content: unknown; cookies?: Next["cookies"] }>,
): (request: Request, next: unknown) => Promise<Response> {
  return publicRoute(
    async (request) => {
      const foreign = refusalOfForeign(request);
      if (foreign) return foreign;
      const body = schema.safeParse(parse(new TextDecoder().decode(await readAtMost(request, MAX_BYTES))));
      if (!body.success)
        return Response.json({ problem: "This browser sent something else than a passkey." }, { status: 422, headers: NOT_KEPT });
      const { content, cookies = [] } = await handle(senderOf(request), body.data).catch(busy);
      const headers = new Headers(NOT_KEPT);
      for (const cookie of cookies) headers.append("Set-Cookie", cookie);
      return Response.json(content, { headers });
    },
    { pages: COST_OF_FORM },
  );
}

/** Returns words for a person about an error that passes by itself. Throws any other. */
function busy(error: unknown): { content: unknown; cookies?: Next["cookies"] } {
  if (error instanceof Problem && error.code === "RATE_LIMITED") return { content: { problem: BUSY } };
  throw error;
}

const NOT_KEPT = { "Cache-Control": "no-store" };

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The schema refuses it.
    return undefined;
  }
}
