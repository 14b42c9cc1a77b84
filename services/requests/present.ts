import type { z } from "zod";
import type { RequestObject } from "./contract.ts";
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
