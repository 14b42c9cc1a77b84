export { listAlerts } from "./list-alerts.ts";
export { raiseAlert } from "./raise-alert.ts";
export { AlertObject, presentAlert } from "./schemas.ts";
