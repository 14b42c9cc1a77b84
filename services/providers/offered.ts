import { settings } from "#lib/env.ts";
import { log } from "#lib/log.ts";
import { Problem } from "#lib/problem.ts";

/** The mode in which a provider's money is real. */
export function modeOf(provider: string): "test" | "live" {
  return provider.startsWith("sandbox") ? "test" : "live";
}

/** Whether a provider is served here: those of test mode are not where test mode is turned off. */
export const isOffered = (provider: string): boolean => modeOf(provider) === "live" || settings().OJA_TEST_MODE;

/** Refuses live mode without a provider. The merchant learns whom to ask, the log which setting is missing. */
export function liveModeLacks(what: string, setting: string): Problem {
  log().warn({ setting }, "a live merchant needs a provider that no setting names");
  return new Problem("PROVIDER_UNAVAILABLE", `Live mode has no ${what} here yet. Ask the operator of this service.`);
}
