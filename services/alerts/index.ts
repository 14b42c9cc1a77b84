export type { Alert } from "./alert.ts";
export { AlertObject, SeenAlerts } from "./contract.ts";
export { findAlert } from "./find-alert.ts";
export { listAlerts } from "./list-alerts.ts";
export { listOperatorAlerts } from "./list-operator-alerts.ts";
export { markAlertsSeen } from "./mark-alerts-seen.ts";
export { presentAlert } from "./present.ts";
export { alertOperators, raiseAlert, raiseOperatorAlert } from "./raise-alert.ts";
