import { hrefWith } from "#app/(dashboard)/_page/read-list.ts";
import type { FailureRow, RequestRow } from "#components/developers/requests-list.tsx";
import type { groupFailures, listRequests } from "#services/requests/index.ts";

export type LoggedRequest = Awaited<ReturnType<typeof listRequests>>["items"][number];
export type Caller = Pick<LoggedRequest, "apiKeyId" | "userId">;
type FailureGroup = Awaited<ReturnType<typeof groupFailures>>["groups"][number];

/** Returns the row of a request. `path` is that of the list, and `callerOf` names who called. */
export const toRequestRow = (
  { id, method, path: called, status, errorCode, durationMs, createdAt, ...sentBy }: LoggedRequest,
  path: string,
  callerOf: (request: Caller) => string,
): RequestRow => ({
  ...{ id, method, path: called, status, errorCode, durationMs, createdAt },
  caller: callerOf(sentBy),
  href: `${path}/${id}`,
});

/** Returns the row of failures with the same cause. It links to their list, or to the last of them if no filter can select them. */
export const toFailureRow = ({ errorCode, method, endpoint, count, lastRequestId, lastAt }: FailureGroup, path: string): FailureRow => ({
  ...{ count, lastAt },
  key: `${errorCode} ${method} ${endpoint}`,
  href: errorCode && count > 1 ? hrefWith(path, { error_code: errorCode, method, caller: "key" }) : `${path}/${lastRequestId}`,
  code: errorCode ?? "No code",
  endpoint: `${method} ${endpoint ?? "an unknown path"}`,
});
