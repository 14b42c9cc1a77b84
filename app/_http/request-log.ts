import { logAnswered } from "#lib/log.ts";
import type { Problem } from "#lib/problem.ts";
import { logRequest } from "#services/requests/index.ts";
import type { Call } from "./call.ts";

/**
 * Records a finished call: one line in the log and, if the merchant is known, one row in its request log. A request that a page sends by
 * itself (polling) gets a row only if it fails, because otherwise an open page would fill the log.
 */
export function recordCall(call: Call, status: number, problem?: Problem): void {
  const durationMs = Math.round(performance.now() - call.startedAtMs);
  const { requestId, endpoint, method, path, address, merchantId, actor, publicKey, isPolled } = call;
  const stranger = merchantId === undefined ? { address, publicKey } : {};
  logAnswered({ requestId, merchantId, ...stranger, method, path, status, code: problem?.code, durationMs });
  if (!merchantId || !actor || (isPolled && !problem)) return;
  logRequest({
    merchantId,
    id: requestId,
    apiKeyId: actor.type === "api_key" ? actor.id : null,
    userId: actor.type === "member" ? actor.id : null,
    endpoint,
    method,
    path,
    status,
    errorCode: problem?.code ?? null,
    durationMs,
    clientAddress: address,
    queryFields: [...call.url.searchParams.keys()],
    bodyFields: call.bodyFields,
    problems: problem?.errors ?? [],
    // The time when the request began, as in its id. A download may take long.
    createdAt: new Date(Date.now() - durationMs),
  });
}
