export { flushRequestLog, logRequest } from "./log-request.ts";
