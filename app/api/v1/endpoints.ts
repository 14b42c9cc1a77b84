import type { Endpoint } from "#app/_http/openapi.ts";
import { GET as listAlerts } from "./alerts/route.ts";
import { GET as listBankAccounts } from "./bank-accounts/route.ts";
import { GET as listBanks } from "./banks/route.ts";
import { POST as createPaymentLink } from "./checkout/create/route.ts";
import { GET as getRefund } from "./checkout/refunds/[id]/route.ts";
import { POST as createRefund, GET as listRefunds } from "./checkout/refunds/route.ts";
import { GET as listPaymentLinks } from "./checkout/route.ts";
import { GET as getPaymentLinkStatus } from "./checkout/status/route.ts";
import { GET as getPaymentLinkTimeline } from "./checkout/timeline/route.ts";
import { GET as listEvents } from "./events/route.ts";
import { GET as listExchangeRates } from "./exchange-rates/route.ts";
import { GET as getPayout } from "./payouts/[id]/route.ts";
import { GET as quotePayout } from "./payouts/quote/route.ts";
import { POST as createPayout, GET as listPayouts } from "./payouts/route.ts";
import { POST as simulateExpiry } from "./test/checkout/[reference]/expire/route.ts";
import { POST as simulateTransfer } from "./test/checkout/[reference]/transfer/route.ts";
import { POST as simulateSpend } from "./test/virtual-cards/[id]/transactions/route.ts";
import { GET as revealCardDetails } from "./virtual-cards/[id]/details/route.ts";
import { POST as freezeCard } from "./virtual-cards/[id]/freeze/route.ts";
import { POST as fundCard } from "./virtual-cards/[id]/fund/route.ts";
import { GET as getCardOperation } from "./virtual-cards/[id]/operations/[operation_id]/route.ts";
import { GET as listCardOperations } from "./virtual-cards/[id]/operations/route.ts";
import { GET as quoteCard } from "./virtual-cards/[id]/quote/route.ts";
import { PATCH as changeCard, GET as getCard } from "./virtual-cards/[id]/route.ts";
import { POST as terminateCard } from "./virtual-cards/[id]/terminate/route.ts";
import { GET as listCardTransactions } from "./virtual-cards/[id]/transactions/route.ts";
import { POST as unfreezeCard } from "./virtual-cards/[id]/unfreeze/route.ts";
import { POST as unloadCard } from "./virtual-cards/[id]/unload/route.ts";
import { GET as getCardholder } from "./virtual-cards/cardholders/[id]/route.ts";
import { POST as createCardholder, GET as listCardholders } from "./virtual-cards/cardholders/route.ts";
import { POST as issueCard, GET as listCards } from "./virtual-cards/route.ts";
import { POST as buyAirtime } from "./vtu/airtime/route.ts";
import { POST as buyCable } from "./vtu/cable/route.ts";
import { POST as verifySmartCard } from "./vtu/cable/verify/route.ts";
import { GET as listCablePlans } from "./vtu/cable-plans/route.ts";
import { POST as buyData } from "./vtu/data/route.ts";
import { GET as listDataPlans } from "./vtu/data-plans/route.ts";
import { GET as listDiscos } from "./vtu/discos/route.ts";
import { POST as buyElectricity } from "./vtu/electricity/route.ts";
import { POST as verifyMeter } from "./vtu/electricity/verify/route.ts";
import { POST as buyExam } from "./vtu/exam/route.ts";
import { GET as listExamTypes } from "./vtu/exam-types/route.ts";
import { GET as getPurchase } from "./vtu/transaction/status/route.ts";
import { GET as listPurchases } from "./vtu/transactions/route.ts";
import { GET as getWalletProof } from "./wallet/proof/route.ts";
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

/** Every merchant endpoint, in the order of the API reference. A test compares this list with the route files. */
export const endpoints: Endpoint[] = [
  { method: "post", path: "/api/v1/checkout/create", route: createPaymentLink },
  { method: "get", path: "/api/v1/checkout/status", route: getPaymentLinkStatus },
  { method: "get", path: "/api/v1/checkout/timeline", route: getPaymentLinkTimeline },
  { method: "get", path: "/api/v1/checkout", route: listPaymentLinks },
  { method: "post", path: "/api/v1/checkout/refunds", route: createRefund },
  { method: "get", path: "/api/v1/checkout/refunds", route: listRefunds },
  { method: "get", path: "/api/v1/checkout/refunds/{id}", route: getRefund },
  { method: "post", path: "/api/v1/virtual-cards/cardholders", route: createCardholder },
  { method: "get", path: "/api/v1/virtual-cards/cardholders", route: listCardholders },
  { method: "get", path: "/api/v1/virtual-cards/cardholders/{id}", route: getCardholder },
  { method: "post", path: "/api/v1/virtual-cards", route: issueCard },
  { method: "get", path: "/api/v1/virtual-cards", route: listCards },
  { method: "get", path: "/api/v1/virtual-cards/{id}", route: getCard },
  { method: "patch", path: "/api/v1/virtual-cards/{id}", route: changeCard },
  { method: "get", path: "/api/v1/virtual-cards/{id}/quote", route: quoteCard },
  { method: "post", path: "/api/v1/virtual-cards/{id}/fund", route: fundCard },
  { method: "post", path: "/api/v1/virtual-cards/{id}/unload", route: unloadCard },
  { method: "post", path: "/api/v1/virtual-cards/{id}/freeze", route: freezeCard },
  { method: "post", path: "/api/v1/virtual-cards/{id}/unfreeze", route: unfreezeCard },
  { method: "post", path: "/api/v1/virtual-cards/{id}/terminate", route: terminateCard },
  { method: "get", path: "/api/v1/virtual-cards/{id}/transactions", route: listCardTransactions },
  { method: "get", path: "/api/v1/virtual-cards/{id}/operations", route: listCardOperations },
  { method: "get", path: "/api/v1/virtual-cards/{id}/operations/{operation_id}", route: getCardOperation },
  { method: "get", path: "/api/v1/virtual-cards/{id}/details", route: revealCardDetails },
  { method: "post", path: "/api/v1/vtu/airtime", route: buyAirtime },
  { method: "get", path: "/api/v1/vtu/data-plans", route: listDataPlans },
  { method: "post", path: "/api/v1/vtu/data", route: buyData },
  { method: "get", path: "/api/v1/vtu/cable-plans", route: listCablePlans },
  { method: "post", path: "/api/v1/vtu/cable/verify", route: verifySmartCard },
  { method: "post", path: "/api/v1/vtu/cable", route: buyCable },
  { method: "get", path: "/api/v1/vtu/discos", route: listDiscos },
  { method: "post", path: "/api/v1/vtu/electricity/verify", route: verifyMeter },
  { method: "post", path: "/api/v1/vtu/electricity", route: buyElectricity },
  { method: "get", path: "/api/v1/vtu/exam-types", route: listExamTypes },
  { method: "post", path: "/api/v1/vtu/exam", route: buyExam },
  { method: "get", path: "/api/v1/vtu/transaction/status", route: getPurchase },
  { method: "get", path: "/api/v1/vtu/transactions", route: listPurchases },
  { method: "get", path: "/api/v1/exchange-rates", route: listExchangeRates },
  { method: "get", path: "/api/v1/wallet", route: getWallet },
  { method: "get", path: "/api/v1/wallet/proof", route: getWalletProof },
  { method: "get", path: "/api/v1/wallet/transactions", route: listWalletTransactions },
  { method: "get", path: "/api/v1/banks", route: listBanks },
  { method: "get", path: "/api/v1/bank-accounts", route: listBankAccounts },
  { method: "get", path: "/api/v1/payouts/quote", route: quotePayout },
  { method: "post", path: "/api/v1/payouts", route: createPayout },
  { method: "get", path: "/api/v1/payouts", route: listPayouts },
  { method: "get", path: "/api/v1/payouts/{id}", route: getPayout },
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
  { method: "post", path: "/api/v1/test/virtual-cards/{id}/transactions", route: simulateSpend },
];
