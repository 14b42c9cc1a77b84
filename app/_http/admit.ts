import type { z } from "zod";
import { Problem } from "#lib/problem.ts";
import type { MerchantContext } from "#services/context.ts";
import type { Call } from "./call.ts";
import type { Declaration } from "./declaration.ts";
import type { Identity } from "./identify.ts";
import { countRequest } from "./rate-limit.ts";

type AnyDeclaration = Pick<Declaration<z.ZodType, z.ZodObject, z.ZodType>, "area" | "permission" | "testModeOnly">;

/** Returns the context of a request that may proceed. Throws RESOURCE_NOT_FOUND, SERVICE_NOT_ENABLED, PERMISSION_DENIED or RATE_LIMITED. */
export function admit(
  call: Call,
  { actor, merchant, permissions }: Identity,
  { area, permission, testModeOnly }: AnyDeclaration,
): MerchantContext {
  if (testModeOnly && merchant.mode !== "test")
    throw new Problem("RESOURCE_NOT_FOUND", "This endpoint exists in test mode only. Use a test key.");
  if (area && !merchant.areas.includes(area)) {
    throw new Problem(
      "SERVICE_NOT_ENABLED",
      `The area ${area} is not enabled for this account. Ask for it in the dashboard or write to support.`,
    );
  }
  if (!permissions.includes(permission)) {
    throw new Problem("PERMISSION_DENIED", `This key may not do this. Give it the permission ${permission}, or use another key.`);
  }
  const limit = { perSecond: merchant.requestsPerSecond, burst: merchant.requestBurst };
  Object.assign(call.headers, countRequest(merchant.id, limit));
  return { merchant, actor, requestId: call.requestId, address: call.address };
}
