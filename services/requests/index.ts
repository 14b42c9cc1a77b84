export { ListRequestsQuery, RequestObject } from "./contract.ts";
export { groupFailures } from "./group-failures.ts";
export { getRequest, listRequests } from "./list-requests.ts";
export { logRequest } from "./log-request.ts";
export { presentRequest } from "./present.ts";
