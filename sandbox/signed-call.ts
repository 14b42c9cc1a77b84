import { z } from "zod";
import { readAtMost } from "#lib/read-at-most.ts";
import { sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { isSigned } from "#lib/signature.ts";

export type Operation = (body: unknown) => Promise<Response>;

const MAX_BYTES = 64 * 1024;

/** Serves one call of a sandbox provider's API, which its customer must sign. `onError` turns an error of the provider's own kind into its answer. */
export async function answerSignedCall(
  operations: Record<string, Operation>,
  name: string,
  request: Request,
  onError: (error: unknown) => Response | undefined,
): Promise<Response> {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (!operation) return Response.json({ error: "no such operation" }, { status: 404 });
  const bytes = await readAtMost(request, MAX_BYTES);
  if (!bytes) return Response.json({ error: "too large" }, { status: 413 });
  const body = new TextDecoder().decode(bytes);
  if (!isSigned(sandboxRequestSecret(), body, request.headers.get("x-sandbox-signature"))) {
    return Response.json({ error: "bad signature" }, { status: 401 });
  }
  try {
    return await operation(JSON.parse(body));
  } catch (error) {
    if (error instanceof z.ZodError) return Response.json({ error: "bad request" }, { status: 422 });
    const answer = onError(error);
    if (!answer) throw error;
    return answer;
  }
}
