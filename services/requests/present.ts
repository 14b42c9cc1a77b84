import type { z } from "zod";
import type { FailuresObject, RequestObject } from "./contract.ts";
import type { groupFailures } from "./group-failures.ts";
import type { LoggedRequest } from "./logged-request.ts";

export const presentRequest = (request: LoggedRequest): z.output<typeof RequestObject> => ({
  id: request.id,
  caller: request.caller,
  key_id: request.apiKeyId,
  user_id: request.userId,
  endpoint: request.endpoint,
  method: request.method,
  path: request.path,
  status: request.status,
  error_code: request.errorCode,
  duration_ms: request.durationMs,
  client_address: request.clientAddress,
  query_fields: request.queryFields,
  body_fields: request.bodyFields,
  problems: request.problems,
  created_at: request.createdAt.toISOString(),
});

export const presentFailures = ({ groups, countedFrom }: Awaited<ReturnType<typeof groupFailures>>): z.output<typeof FailuresObject> => ({
  groups: groups.map(({ errorCode, method, endpoint, count, lastRequestId, lastAt }) => ({
    ...{ error_code: errorCode, method, endpoint, count, last_request_id: lastRequestId },
    last_at: lastAt.toISOString(),
  })),
  counted_from: countedFrom.toISOString(),
});
