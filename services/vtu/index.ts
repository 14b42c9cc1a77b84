export { buyProduct } from "./buy-product.ts";
export { listExceptions, listStuckPurchases, markExceptionsSeen } from "./exceptions.ts";
export {
  CablePlanObject,
  DataPlanObject,
  DiscoObject,
  ExamTypeObject,
  presentCablePlan,
  presentDataPlan,
  presentDisco,
  presentExamType,
} from "./product-schemas.ts";
export { listProducts } from "./products.ts";
export type { PurchaseRow } from "./purchase.ts";
export { getPurchase, listPurchases } from "./read-purchases.ts";
export {
  BuyAirtime,
  BuyCable,
  BuyData,
  BuyElectricity,
  BuyExam,
  CablePlansQuery,
  DataPlansQuery,
  ListPurchasesQuery,
  ReferenceQuery,
  VerifyCable,
  VerifyElectricity,
} from "./requests.ts";
export { resolveDuePurchases } from "./resolve-purchases.ts";
export { PurchaseObject, presentPurchase } from "./schemas.ts";
export { syncDueCatalogues } from "./sync-catalogue.ts";
export { takeHint } from "./take-hint.ts";
export { CustomerObject, presentCustomer, verifyMeter, verifySmartCard } from "./verify-customer.ts";
