export { logRequest } from "./log-request.ts";
