import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerIssuerCall } from "#sandbox/issuer/api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The sandbox issuer's own API, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerIssuerCall((await params).operation, request));
