export { FailuresObject, ListRequestsQuery, RequestObject, RequestParams } from "./contract.ts";
export { groupFailures } from "./group-failures.ts";
export { getRequest, listRequests } from "./list-requests.ts";
export { logRequest } from "./log-request.ts";
export { presentFailures, presentRequest } from "./present.ts";
