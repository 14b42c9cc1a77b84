import type { Endpoint } from "#app/api/_http/openapi.ts";
import { GET as listAlerts } from "./alerts/route.ts";
import { POST as createPaymentLink } from "./checkout/create/route.ts";
import { GET as listPaymentLinks } from "./checkout/route.ts";
import { GET as getPaymentLinkStatus } from "./checkout/status/route.ts";
import { GET as listEvents } from "./events/route.ts";
import { POST as simulateExpiry } from "./test/checkout/[reference]/expire/route.ts";
import { POST as simulateTransfer } from "./test/checkout/[reference]/transfer/route.ts";
import { GET as getWallet } from "./wallet/route.ts";
import { GET as listWalletTransactions } from "./wallet/transactions/route.ts";
import { POST as resendDelivery } from "./webhook-deliveries/[id]/resend/route.ts";
import { GET as getDelivery } from "./webhook-deliveries/[id]/route.ts";
import { GET as listDeliveries } from "./webhook-deliveries/route.ts";
import { POST as resendFailed } from "./webhook-endpoints/[id]/resend/route.ts";
import { POST as rollSecret } from "./webhook-endpoints/[id]/roll-secret/route.ts";
import { PATCH as changeEndpoint, DELETE as deleteEndpoint, GET as getEndpoint } from "./webhook-endpoints/[id]/route.ts";
import { POST as sendTestEvent } from "./webhook-endpoints/[id]/test/route.ts";
import { POST as createEndpoint, GET as listEndpoints } from "./webhook-endpoints/route.ts";

/** Every merchant endpoint, in the order of the reference. A test compares it with the folder. */
export const endpoints: Endpoint[] = [
  { method: "post", path: "/api/v1/checkout/create", route: createPaymentLink },
  { method: "get", path: "/api/v1/checkout/status", route: getPaymentLinkStatus },
  { method: "get", path: "/api/v1/checkout", route: listPaymentLinks },
  { method: "get", path: "/api/v1/wallet", route: getWallet },
  { method: "get", path: "/api/v1/wallet/transactions", route: listWalletTransactions },
  { method: "get", path: "/api/v1/events", route: listEvents },
  { method: "post", path: "/api/v1/webhook-endpoints", route: createEndpoint },
  { method: "get", path: "/api/v1/webhook-endpoints", route: listEndpoints },
  { method: "get", path: "/api/v1/webhook-endpoints/{id}", route: getEndpoint },
  { method: "patch", path: "/api/v1/webhook-endpoints/{id}", route: changeEndpoint },
  { method: "delete", path: "/api/v1/webhook-endpoints/{id}", route: deleteEndpoint },
  { method: "post", path: "/api/v1/webhook-endpoints/{id}/roll-secret", route: rollSecret },
  { method: "post", path: "/api/v1/webhook-endpoints/{id}/test", route: sendTestEvent },
  { method: "post", path: "/api/v1/webhook-endpoints/{id}/resend", route: resendFailed },
  { method: "get", path: "/api/v1/webhook-deliveries", route: listDeliveries },
  { method: "get", path: "/api/v1/webhook-deliveries/{id}", route: getDelivery },
  { method: "post", path: "/api/v1/webhook-deliveries/{id}/resend", route: resendDelivery },
  { method: "get", path: "/api/v1/alerts", route: listAlerts },
  { method: "post", path: "/api/v1/test/checkout/{reference}/transfer", route: simulateTransfer },
  { method: "post", path: "/api/v1/test/checkout/{reference}/expire", route: simulateExpiry },
];
