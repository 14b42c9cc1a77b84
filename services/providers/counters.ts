import { Problem } from "#lib/problem.ts";
import type { SandboxBank } from "#providers/sandbox/bank.ts";
import type { SandboxIssuer } from "#providers/sandbox/issuer.ts";
import type { Merchant } from "../context.ts";
import { sandboxBanks, sandboxIssuers } from "./registries.ts";

const testModeOnly = () => new Problem("RESOURCE_NOT_FOUND", "Test endpoints exist in test mode only. Use a test key.");

/** The test bank of a merchant, at which the API plays payers. Throws RESOURCE_NOT_FOUND for a merchant with another bank. */
export function sandboxBankFor({ bank: name }: Pick<Merchant, "bank">): SandboxBank {
  const bank = name === null ? undefined : sandboxBanks.named(name);
  if (!bank) throw testModeOnly();
  return bank;
}

/** The test issuer of that name, at which the API plays shops. Throws RESOURCE_NOT_FOUND for the name of any other issuer. */
export function sandboxIssuerNamed(provider: string): SandboxIssuer {
  const issuer = sandboxIssuers.named(provider);
  if (!issuer) throw testModeOnly();
  return issuer;
}
