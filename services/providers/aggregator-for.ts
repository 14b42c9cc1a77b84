import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import type { Aggregator } from "#providers/aggregator.ts";
import { sandboxAggregator } from "#providers/sandbox/aggregator.ts";
import { vtpassAggregator } from "#providers/sandbox/vtpass-aggregator.ts";
import type { Merchant } from "../context.ts";
import { isOffered, liveModeLacks } from "./offered.ts";

/** Made when they are first asked for: the sandbox's address is a setting. */
const MAKERS: Record<string, () => Aggregator> = {
  sandbox: () =>
    sandboxAggregator({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() }),
  "sandbox-vtpass": () => vtpassAggregator({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret() }),
};
const made = new Map<string, Aggregator>();

export const AGGREGATOR_NAMES = Object.keys(MAKERS);

/** The aggregator that a purchase is at, or of the name that a notice brings; undefined for one that we do not know. */
export function aggregatorNamed(provider: string): Aggregator | undefined {
  if (!Object.hasOwn(MAKERS, provider) || !isOffered(provider)) return undefined;
  const aggregator = made.get(provider) ?? MAKERS[provider]?.();
  if (aggregator) made.set(provider, aggregator);
  return aggregator;
}

/** The aggregator of a merchant's new purchases. Throws PROVIDER_UNAVAILABLE where there is none. */
export function aggregatorFor({ mode, aggregator: name }: Merchant): Aggregator {
  const aggregator = mode === "test" && name !== null ? aggregatorNamed(name) : undefined;
  if (aggregator) return aggregator;
  if (mode === "live") throw liveModeLacks("aggregator of top-ups", "OJA_LIVE_AGGREGATOR");
  throw new Problem("PROVIDER_UNAVAILABLE", "No aggregator is bound to this account in test mode.");
}
