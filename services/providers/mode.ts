import { settings } from "#lib/env.ts";

/** The mode in which a provider's money is real. Names of the built-in test providers begin with `sandbox`; a CHECK relies on it too. */
export function modeOf(provider: string): "test" | "live" {
  return provider.startsWith("sandbox") ? "test" : "live";
}

/** Whether a provider is served here: those of test mode are not where test mode is turned off. */
export const isOffered = (provider: string): boolean => modeOf(provider) === "live" || settings().OJA_TEST_MODE;
