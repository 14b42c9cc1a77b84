import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerVtpassCall } from "#sandbox/aggregator/vtpass-api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The VTpass-like sandbox aggregator's own API, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerVtpassCall((await params).operation, request));
