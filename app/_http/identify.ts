import { ERROR_STATUS, Problem } from "#lib/problem.ts";
import type { Actor, Merchant } from "#services/context.ts";
import { authenticate, type Credentials, modeOfPublicKey } from "#services/merchants/index.ts";
import type { Call } from "./call.ts";
import { countBadCredentials } from "./rate-limit.ts";

/** Who asks, for which merchant, and what they may do. */
export interface Identity {
  actor: Actor;
  merchant: Merchant;
  permissions: readonly string[];
}

/**
 * Identifies the request by its pair of keys. Throws what `authenticate` throws, and RATE_LIMITED instead of a 401 once the address or the
 * public key has failed too often. The keys are looked at first, so that a correct pair is never refused for what others did.
 */
export async function identify(call: Call, { headers }: Request): Promise<Identity> {
  const credentials = { publicKey: headers.get("x-api-key"), secretKey: headers.get("x-api-secret"), address: call.address };
  if (credentials.publicKey !== null && modeOfPublicKey(credentials.publicKey)) call.publicKey = credentials.publicKey;
  const { merchant, keyId, permissions } = await authenticateOrCount(credentials);
  const actor: Actor = { type: "api_key", id: keyId };
  Object.assign(call, { merchantId: merchant.id, actor });
  return { actor, merchant, permissions };
}

async function authenticateOrCount(credentials: Credentials) {
  try {
    return await authenticate(credentials);
  } catch (error) {
    if (error instanceof Problem && ERROR_STATUS[error.code] === 401) countBadCredentials(credentials);
    throw error;
  }
}
