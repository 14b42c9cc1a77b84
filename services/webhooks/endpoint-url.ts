import { AddressRefused, checkUrl } from "#lib/guarded-request.ts";
import { invalid } from "#lib/problem.ts";
import type { Context } from "../context.ts";
import { outboundPolicy } from "./outbound-policy.ts";

/** The address as it will be called. Throws VALIDATION_ERROR for one that deliveries of this mode would not be sent to. */
export function safeUrl({ merchant }: Context, url: string): string {
  try {
    return checkUrl(url, outboundPolicy(merchant.mode)).href;
  } catch (error) {
    if (error instanceof AddressRefused) throw invalid("url", error.message);
    throw error;
  }
}
