import { AddressRefused, checkUrl } from "#lib/guarded-request.ts";
import { invalid } from "#lib/problem.ts";
import type { Context } from "../context.ts";
import { outboundPolicy } from "./outbound-policy.ts";

/** Throws VALIDATION_ERROR for an address that deliveries of this mode would not be sent to. */
export function refuseUnsafeUrl({ merchant }: Context, url: string): void {
  try {
    checkUrl(url, outboundPolicy(merchant.mode));
  } catch (error) {
    if (error instanceof AddressRefused) throw invalid("url", error.message);
    throw error;
  }
}
