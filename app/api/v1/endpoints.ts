import type { MerchantRoute } from "#app/api/_http/merchant-route.ts";
import { POST as createPaymentLink } from "./checkout/create/route.ts";
import { GET as listPaymentLinks } from "./checkout/route.ts";
import { GET as getPaymentLinkStatus } from "./checkout/status/route.ts";
import { GET as listEvents } from "./events/route.ts";
import { POST as simulateExpiry } from "./test/checkout/[reference]/expire/route.ts";
import { POST as simulateTransfer } from "./test/checkout/[reference]/transfer/route.ts";
import { GET as getWallet } from "./wallet/route.ts";
import { GET as listWalletTransactions } from "./wallet/transactions/route.ts";

interface Endpoint {
  method: "get" | "post";
  path: string;
  route: MerchantRoute;
}

/** Every merchant endpoint, in the order of the reference. A test compares it with the folder. */
export const endpoints: Endpoint[] = [
  { method: "post", path: "/api/v1/checkout/create", route: createPaymentLink },
  { method: "get", path: "/api/v1/checkout/status", route: getPaymentLinkStatus },
  { method: "get", path: "/api/v1/checkout", route: listPaymentLinks },
  { method: "get", path: "/api/v1/wallet", route: getWallet },
  { method: "get", path: "/api/v1/wallet/transactions", route: listWalletTransactions },
  { method: "get", path: "/api/v1/events", route: listEvents },
  { method: "post", path: "/api/v1/test/checkout/{reference}/transfer", route: simulateTransfer },
  { method: "post", path: "/api/v1/test/checkout/{reference}/expire", route: simulateExpiry },
];
