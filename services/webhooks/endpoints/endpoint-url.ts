import { settings } from "#lib/env.ts";
import { AddressRefused, checkUrl } from "#lib/guarded-request.ts";
import { invalid } from "#lib/problem.ts";
import type { MerchantContext } from "../../context.ts";
import { outboundPolicy } from "./outbound-policy.ts";

const hintFor = ({ mode }: MerchantContext["merchant"]) =>
  mode === "live" || settings().OJA_ALLOW_LOOPBACK_WEBHOOKS
    ? ""
    : " To develop against this machine, start with OJA_ALLOW_LOOPBACK_WEBHOOKS=1, or use a tunnel.";

/** Returns the address as it will be called. Throws VALIDATION_ERROR for an address that the merchant's mode may not call. */
export function checkedUrl({ merchant }: MerchantContext, url: string): string {
  try {
    return checkUrl(url, outboundPolicy(merchant.mode)).href;
  } catch (error) {
    if (error instanceof AddressRefused) throw invalid("url", `${error.message}${hintFor(merchant)}`);
    throw error;
  }
}
