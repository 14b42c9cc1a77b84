import type { Endpoint } from "#app/_http/openapi.ts";
import { GET as exportAudit } from "./audit/route.ts";
import { GET as exportBulkOrderRows } from "./bulk-order-rows/route.ts";
import { GET as exportCardOperations } from "./card-operations/route.ts";
import { GET as exportCardSpend } from "./card-spend/route.ts";
import { GET as exportCardholders } from "./cardholders/route.ts";
import { GET as exportCards } from "./cards/route.ts";
import { GET as exportEvents } from "./events/route.ts";
import { GET as exportPaymentLinks } from "./payment-links/route.ts";
import { GET as exportPayouts } from "./payouts/route.ts";
import { GET as exportPurchases } from "./purchases/route.ts";
import { GET as exportRequests } from "./requests/route.ts";
import { GET as exportTransactions } from "./transactions/route.ts";
import { GET as exportWallet } from "./wallet/route.ts";
import { GET as exportWalletStatement } from "./wallet-statement/route.ts";
import { GET as exportWebhookDeliveries } from "./webhook-deliveries/route.ts";

/** Every list that the dashboard has as a file. A test compares this list with the route files. */
export const exportEndpoints: Endpoint[] = [
  { method: "get", path: "/api/dashboard/exports/audit", route: exportAudit },
  { method: "get", path: "/api/dashboard/exports/bulk-order-rows", route: exportBulkOrderRows },
  { method: "get", path: "/api/dashboard/exports/card-operations", route: exportCardOperations },
  { method: "get", path: "/api/dashboard/exports/card-spend", route: exportCardSpend },
  { method: "get", path: "/api/dashboard/exports/cardholders", route: exportCardholders },
  { method: "get", path: "/api/dashboard/exports/cards", route: exportCards },
  { method: "get", path: "/api/dashboard/exports/events", route: exportEvents },
  { method: "get", path: "/api/dashboard/exports/payment-links", route: exportPaymentLinks },
  { method: "get", path: "/api/dashboard/exports/payouts", route: exportPayouts },
  { method: "get", path: "/api/dashboard/exports/purchases", route: exportPurchases },
  { method: "get", path: "/api/dashboard/exports/requests", route: exportRequests },
  { method: "get", path: "/api/dashboard/exports/transactions", route: exportTransactions },
  { method: "get", path: "/api/dashboard/exports/wallet", route: exportWallet },
  { method: "get", path: "/api/dashboard/exports/wallet-statement", route: exportWalletStatement },
  { method: "get", path: "/api/dashboard/exports/webhook-deliveries", route: exportWebhookDeliveries },
];
