import { settings } from "#lib/env.ts";

/** Returns the mode that a provider serves. Names of the built-in test providers begin with `sandbox`; a CHECK relies on this too. */
export function modeOf(provider: string): "test" | "live" {
  return provider.startsWith("sandbox") ? "test" : "live";
}

/** Returns whether a provider is available here. Test providers are not where test mode is turned off. */
export const isOffered = (provider: string): boolean => modeOf(provider) === "live" || settings().OJA_TEST_MODE;
