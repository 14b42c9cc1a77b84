import { ERROR_STATUS, Problem } from "#lib/problem.ts";
import { authenticate, type Credentials, modeOfPublicKey } from "#services/api-keys/index.ts";
import type { Actor } from "#services/context.ts";
import type { Call } from "./call.ts";
import type { Identity } from "./identity.ts";
import { countBadCredentials } from "./rate-limit.ts";

/**
 * Returns the identity that the request's pair of keys proves. Throws the errors of `authenticate`, with RATE_LIMITED in place of a 401
 * once the address or the public key has failed too often. The keys are checked before the failures are counted, so the failures of others
 * never refuse a correct pair.
 */
export async function identifyKey(call: Call, { headers }: Request): Promise<Identity> {
  const credentials = { publicKey: headers.get("x-api-key"), secretKey: headers.get("x-api-secret"), address: call.address };
  if (credentials.publicKey !== null && modeOfPublicKey(credentials.publicKey)) call.publicKey = credentials.publicKey;
  const { merchant, keyId, permissions } = await authenticateOrCount(credentials);
  const actor: Actor = { type: "api_key", id: keyId };
  Object.assign(call, { merchantId: merchant.id, actor });
  return {
    actor,
    merchant,
    permissions,
    may: (permission) => permissions.includes(permission),
    adviceWithout: (permission) => `This key may not do this. Give it the permission ${permission}, or use another key.`,
    limit: { name: "merchant", key: merchant.id, perSecond: merchant.requestsPerSecond, burst: merchant.requestBurst },
  };
}

async function authenticateOrCount(credentials: Credentials) {
  try {
    return await authenticate(credentials);
  } catch (error) {
    if (error instanceof Problem && ERROR_STATUS[error.code] === 401) countBadCredentials(credentials);
    throw error;
  }
}
