import { settings } from "#lib/env.ts";
import type { OutboundPolicy } from "#lib/guarded-request.ts";
import type { Merchant } from "../../context.ts";

/** Returns which addresses deliveries of a mode may call. Live mode never calls this machine, whatever the settings say. */
export function outboundPolicy(mode: Merchant["mode"]): OutboundPolicy {
  return mode === "live"
    ? { strict: true, allowLoopback: false }
    : { strict: false, allowLoopback: settings().OJA_ALLOW_LOOPBACK_WEBHOOKS };
}
