export { changeEndpoint, deleteEndpoint } from "./change-endpoint.ts";
export { createEndpoint } from "./create-endpoint.ts";
export { Dispatcher } from "./dispatcher.ts";
export { purgeOldAttempts } from "./purge-attempts.ts";
export { getDelivery, getDeliveryDetail, listDeliveries } from "./read-deliveries.ts";
export { getEndpoint, listEndpoints } from "./read-endpoints.ts";
export { countPending, resendDelivery, resendFailedSince, sendTestEvent } from "./resend.ts";
export { rollSecret } from "./roll-secret.ts";
export * from "./schemas.ts";
