import { Problem } from "#lib/problem.ts";
import type { SandboxBank } from "#providers/sandbox/bank.ts";
import type { SandboxIssuer } from "#providers/sandbox/issuer.ts";
import type { Merchant } from "../context.ts";
import { modeOf } from "./mode.ts";
import { sandboxBanks, sandboxIssuers } from "./registries.ts";

const testModeOnly = () => new Problem("RESOURCE_NOT_FOUND", "Test endpoints exist in test mode only. Use a test key.");

/**
 * Returns the test bank of a merchant, at which the API plays payers. Throws RESOURCE_NOT_FOUND for a merchant with another bank or none.
 */
export function sandboxBankFor({ mode, bank: name }: Pick<Merchant, "mode" | "bank">): SandboxBank {
  const bank = name !== null && modeOf(name) === mode ? sandboxBanks.named(name) : undefined;
  if (!bank) throw testModeOnly();
  return bank;
}

/** Returns the test issuer of a merchant's card, at which the API plays shops. Throws RESOURCE_NOT_FOUND for a card of another issuer. */
export function sandboxIssuerFor({ mode }: Pick<Merchant, "mode">, provider: string): SandboxIssuer {
  const issuer = modeOf(provider) === mode ? sandboxIssuers.named(provider) : undefined;
  if (!issuer) throw testModeOnly();
  return issuer;
}
