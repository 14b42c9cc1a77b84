export { ALL_AREAS } from "./area-request.ts";
export { switchArea } from "./areas.ts";
export { bindProvider, bindSandbox } from "./bind-provider.ts";
export {
  AreaParams,
  AreaRequestObject,
  BindSandbox,
  BrandObject,
  BusinessNameObject,
  businessName,
  ChangeBrand,
  EmbedOrigins,
  FirstSteps,
  LogoQuery,
  NewBusinessForm,
  Picture,
  RenameBusiness,
  SandboxBinding,
  SetEmbedOrigins,
} from "./contract.ts";
export { createBusiness, EmailTaken, insertBusiness } from "./create-business.ts";
export { readFallbackBanks, setFallbackBanks } from "./fallback-banks.ts";
export { findAreaState } from "./find-area-state.ts";
export { getBrand } from "./get-brand.ts";
export { areFirstStepsHidden, hideFirstSteps } from "./hide-first-steps.ts";
export { listAreaRequests } from "./list-area-requests.ts";
export { findLogo, MAX_UPLOAD_BYTES, PICTURE_TYPES, toSmallWebp } from "./logo.ts";
export { openBusiness } from "./open-business.ts";
export { presentAreaState, presentBrand } from "./present.ts";
export { purgeUnusedLogos } from "./purge-logos.ts";
export { getBusiness, getEmbedOrigins, listNameRequests } from "./read-businesses.ts";
export { findMerchant, listMerchants, readMerchantsOf } from "./read-merchants.ts";
export { decideName, renameBusiness } from "./rename-business.ts";
export { requestArea } from "./request-area.ts";
export { setBrand } from "./set-brand.ts";
export { setEmbedOrigins } from "./set-embed-origins.ts";
export { resumeMerchant, suspendMerchant } from "./suspend-merchant.ts";
