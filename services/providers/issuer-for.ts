import { settings } from "#lib/env.ts";
import { Problem } from "#lib/problem.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import type { Issuer } from "#providers/issuer.ts";
import { sandboxAsyncIssuer } from "#providers/sandbox/async-issuer.ts";
import { type SandboxIssuer, sandboxIssuer } from "#providers/sandbox/issuer.ts";
import type { Merchant } from "../context.ts";
import { isOffered, liveModeLacks } from "./offered.ts";

/** Made when they are first asked for: the sandbox's address is a setting. */
const MAKERS: Record<string, () => SandboxIssuer> = {
  sandbox: () => sandboxIssuer({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret(), noticeSecret: sandboxNoticeSecret() }),
  "sandbox-async": () => sandboxAsyncIssuer({ url: settings().SANDBOX_URL, requestSecret: sandboxRequestSecret() }),
};
const made = new Map<string, SandboxIssuer>();

function find(name: string): SandboxIssuer | undefined {
  if (!Object.hasOwn(MAKERS, name) || !isOffered(name)) return undefined;
  const issuer = made.get(name) ?? MAKERS[name]?.();
  if (issuer) made.set(name, issuer);
  return issuer;
}

export const ISSUER_NAMES = Object.keys(MAKERS);

/** The issuer of new cards and cardholders of a merchant. Throws PROVIDER_UNAVAILABLE where there is none. */
export function issuerFor({ mode, issuer: name }: Merchant): Issuer {
  const issuer = mode === "test" && name !== null ? find(name) : undefined;
  if (issuer) return issuer;
  if (mode === "live") throw liveModeLacks("card issuer", "OJA_LIVE_ISSUER");
  throw new Problem("PROVIDER_UNAVAILABLE", "No card issuer is bound to this account in test mode.");
}

/** The issuer that a card or cardholder was made at, or of the name that a notice brings; undefined for one that we do not know. */
export function issuerNamed(provider: string): Issuer | undefined {
  return find(provider);
}

/** The test issuer with its shops open. Throws RESOURCE_NOT_FOUND for a card that is not served by it. */
export function shopsOf(merchant: Merchant, provider: string): SandboxIssuer {
  const issuer = merchant.mode === "test" ? find(provider) : undefined;
  if (!issuer) throw new Problem("RESOURCE_NOT_FOUND", "Test endpoints exist in test mode only. Use a test key.");
  return issuer;
}
