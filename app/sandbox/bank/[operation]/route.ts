import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerBankCall } from "#sandbox/bank/api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The sandbox bank's own API, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => {
  const { operation } = await params;
  return answerBankCall(operation, request);
});
