export { buyProduct, type Customer, type PurchaseRequest } from "./buying/buy-product.ts";
export { CustomerObject, presentCustomer, verifyMeter, verifySmartCard } from "./buying/verify-customer.ts";
export { listProducts, readBrands, readSkus } from "./catalogue/products.ts";
export { syncDueCatalogues } from "./catalogue/sync-catalogue.ts";
export {
  BuyAirtime,
  BuyCable,
  BuyData,
  BuyElectricity,
  BuyExam,
  CablePlanObject,
  CablePlansQuery,
  DataPlanObject,
  DataPlansQuery,
  DiscoObject,
  ExamTypeObject,
  ListPurchasesQuery,
  MAX_AIRTIME,
  MAX_ELECTRICITY,
  MAX_PINS,
  MIN_AIRTIME,
  MIN_ELECTRICITY,
  PurchaseObject,
  ReferenceQuery,
  VerifyCable,
  VerifyElectricity,
} from "./contract.ts";
export { alertOnUndecidedPurchases } from "./outcomes/alert-on-undecided.ts";
export { listExceptions, listStuckPurchases, markExceptionsSeen } from "./outcomes/exceptions.ts";
export { receiveHint } from "./outcomes/receive-hint.ts";
export { resolveDuePurchases } from "./outcomes/resolve-purchases.ts";
export { type OperatorOutcome, readStateOfPurchase, settlePurchaseByOperator } from "./outcomes/settle-by-operator.ts";
export { presentCablePlan, presentDataPlan, presentDisco, presentExamType, presentPurchase } from "./present.ts";
export type { Product } from "./product.ts";
export type { PurchaseStatus, VisiblePurchase } from "./purchase.ts";
export { findPurchases } from "./purchases/find-purchases.ts";
export { findRecentPurchases } from "./purchases/find-recent-purchases.ts";
export { listPurchases, readPurchasesWithin } from "./purchases/list-purchases.ts";
export { getPurchase } from "./purchases/read-purchases.ts";
export { digitsOfSmartCard, isMeterOf, isSmartCardOf, toRecipientNumber } from "./recipients.ts";
