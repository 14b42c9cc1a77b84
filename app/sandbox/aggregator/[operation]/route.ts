import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerAggregatorCall } from "#sandbox/aggregator/api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The sandbox aggregator's own API, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerAggregatorCall((await params).operation, request));
