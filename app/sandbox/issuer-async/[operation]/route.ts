import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerAsyncIssuerCall } from "#sandbox/issuer/async-api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The API of the sandbox's other issuer, which does everything later. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerAsyncIssuerCall((await params).operation, request));
