import { answerBankCall } from "#sandbox/api.ts";

/** The sandbox bank's own API, as Oja's adapter calls it. */
export async function POST(request: Request, { params }: { params: Promise<{ operation: string }> }): Promise<Response> {
  const { operation } = await params;
  return answerBankCall(operation, request);
}
