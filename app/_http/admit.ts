import type { z } from "zod";
import { Problem } from "#lib/problem.ts";
import type { Merchant, MerchantContext } from "#services/context.ts";
import { isClosedBySuspension } from "#services/members/index.ts";
import type { Call } from "./call.ts";
import type { Declaration } from "./declaration.ts";
import type { Identity } from "./identity.ts";
import { countRequest } from "./rate-limit.ts";

type AnyDeclaration = Pick<
  Declaration<z.ZodType, z.ZodObject, z.ZodType>,
  "area" | "permission" | "testModeOnly" | "allowedWhileSuspended" | "limit"
>;

/**
 * Returns the context of a request that may proceed. Throws RESOURCE_NOT_FOUND, MERCHANT_SUSPENDED (for what changes anything),
 * SERVICE_NOT_ENABLED, PERMISSION_DENIED or RATE_LIMITED.
 */
export function admit(
  call: Call,
  { actor, merchant, role, sessionId, permissions, may, adviceWithout, limit }: Identity,
  { area, permission, testModeOnly, allowedWhileSuspended, limit: limitOfEndpoint }: AnyDeclaration,
): MerchantContext {
  if (testModeOnly && merchant.mode !== "test")
    throw new Problem("RESOURCE_NOT_FOUND", "This endpoint exists in test mode only. Use a test key.");
  const isChange = call.method !== "GET" && call.method !== "HEAD" && !allowedWhileSuspended;
  if (isChange && isClosedBySuspension(merchant, permission)) throw suspended(merchant);
  if (area && !merchant.areas.includes(area)) {
    throw new Problem(
      "SERVICE_NOT_ENABLED",
      `The area ${area} is not enabled for this account. Ask for it in the dashboard or write to support.`,
    );
  }
  if (!may(permission)) throw new Problem("PERMISSION_DENIED", adviceWithout(permission));
  if (limit) Object.assign(call.headers, countRequest(limit));
  if (limitOfEndpoint) countRequest({ ...limitOfEndpoint, key: `${limitOfEndpoint.name}:${merchant.businessId}` });
  const { requestId, address } = call;
  return {
    merchant,
    actor,
    ...(role && { role }),
    ...(sessionId && { sessionId }),
    ...(permissions && { permissions }),
    requestId,
    address,
  };
}

const suspended = ({ mode, status }: Merchant): Problem =>
  new Problem(
    "MERCHANT_SUSPENDED",
    status === "suspended"
      ? "This account is suspended: it can be read, not changed. Write to support."
      : `The business is suspended in ${mode === "test" ? "live" : "test"} mode, and this changes it in both. Write to support.`,
  );
