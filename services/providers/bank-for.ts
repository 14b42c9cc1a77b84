import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import type { Bank } from "#providers/bank.ts";
import { type SandboxBank, sandboxBank } from "#providers/sandbox/bank.ts";
import type { Merchant } from "../context.ts";
import { isOffered, liveModeLacks } from "./offered.ts";

let sandbox: SandboxBank | undefined;

function theSandboxBank(): SandboxBank {
  sandbox ??= sandboxBank({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() });
  return sandbox;
}

/** The bank that stands behind a merchant. Throws PROVIDER_UNAVAILABLE where there is none. */
export function bankFor(merchant: Merchant): Bank {
  const bank = merchant.mode === "test" && merchant.bank !== null ? sandboxBankNamed(merchant.bank) : undefined;
  if (bank) return bank;
  if (merchant.mode === "live") throw liveModeLacks("bank", "OJA_LIVE_BANK");
  throw new Problem("PROVIDER_UNAVAILABLE", `No bank is bound to this account in ${merchant.mode} mode.`);
}

/** Every bank that we have an adapter of. */
export const allBanks = (): Bank[] => (isOffered("sandbox") ? [theSandboxBank()] : []);

/** The bank of a provider's name, as a notice names it; undefined for one that we do not know. */
export function bankNamed(provider: string): Bank | undefined {
  return sandboxBankNamed(provider);
}

/** The test bank with its counter open. Throws RESOURCE_NOT_FOUND for a merchant that is not served by it. */
export function sandboxBankFor(merchant: Merchant): SandboxBank {
  const bank = merchant.mode === "test" && merchant.bank !== null ? sandboxBankNamed(merchant.bank) : undefined;
  if (!bank) throw new Problem("RESOURCE_NOT_FOUND", "Test endpoints exist in test mode only. Use a test key.");
  return bank;
}

/** The test bank with its counter open, for whoever has a link of it; undefined for any other. */
export function sandboxBankNamed(provider: string): SandboxBank | undefined {
  return provider === "sandbox" && isOffered(provider) ? theSandboxBank() : undefined;
}
