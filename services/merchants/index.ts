export { createApiKey, type KeyPair, modeOfPublicKey, revokeApiKey, rollApiKey } from "./api-keys.ts";
export { disableArea, enableArea } from "./areas.ts";
export { type Authenticated, authenticate, type Credentials } from "./authenticate.ts";
export { bindProvider } from "./bind-provider.ts";
export { findLogo, setBrand, UnusableLogo } from "./brand.ts";
export { ALL_AREAS, createBusiness, EmailTaken } from "./create-business.ts";
export { setEmbedOrigins, UnusableOrigin } from "./embedding.ts";
export { ALL_PERMISSIONS, type Permission } from "./permissions.ts";
