import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerAsyncIssuerCall } from "#sandbox/issuer/async-api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The API of the sandbox's second issuer, which carries out every operation later, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerAsyncIssuerCall((await params).operation, request));
