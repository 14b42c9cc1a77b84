import { guarded } from "#app/guarded.ts";
import { answerAggregatorCall } from "#sandbox/aggregator/api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The sandbox aggregator's own API, as Oja's adapter calls it. */
export const POST = guarded<Params>(async (request, { params }) => answerAggregatorCall((await params).operation, request));
