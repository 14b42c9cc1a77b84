export { alertOnUndecidedPurchases } from "./alert-on-undecided.ts";
export { buyProduct, type Customer, type PurchaseRequest } from "./buy-product.ts";
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
export { findPurchaseById, listExceptions, listStuckPurchases, markExceptionsSeen } from "./exceptions.ts";
export { findPurchases } from "./find-purchases.ts";
export { findRecentPurchases } from "./find-recent-purchases.ts";
export { listPurchases, readPurchasesWithin } from "./list-purchases.ts";
export { presentCablePlan, presentDataPlan, presentDisco, presentExamType, presentPurchase } from "./present.ts";
export type { Product } from "./product.ts";
export { listProducts, readBrands, readSkus } from "./products.ts";
export type { PurchaseStatus, VisiblePurchase } from "./purchase.ts";
export { getPurchase } from "./read-purchases.ts";
export { receiveHint } from "./receive-hint.ts";
export { digitsOfSmartCard, isMeterOf, isSmartCardOf, toRecipientNumber } from "./recipients.ts";
export { resolveDuePurchases } from "./resolve-purchases.ts";
export { type OperatorOutcome, settlePurchaseByOperator } from "./settle-by-operator.ts";
export { syncDueCatalogues } from "./sync-catalogue.ts";
export { CustomerObject, presentCustomer, verifyMeter, verifySmartCard } from "./verify-customer.ts";
