import { sandboxRoute } from "#app/sandbox/sandbox-route.ts";
import { answerPlainBankCall } from "#sandbox/bank/plain-api.ts";

type Params = { params: Promise<{ operation: string }> };

/** The API of the sandbox's second bank, as Oja's adapter calls it. */
export const POST = sandboxRoute<Params>(async (request, { params }) => answerPlainBankCall((await params).operation, request));
