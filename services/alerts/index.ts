export { listAlerts } from "./list-alerts.ts";
export { listOperatorAlerts } from "./list-operator-alerts.ts";
export { alertOperators, raiseAlert, raiseOperatorAlert } from "./raise-alert.ts";
export { AlertObject, presentAlert } from "./schemas.ts";
