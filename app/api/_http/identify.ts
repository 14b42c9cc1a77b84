import { ERROR_STATUS, Problem } from "#lib/problem.ts";
import { type Authenticated, authenticate, type Credentials } from "#services/merchants/index.ts";
import { countBadCredentials } from "./rate-limit.ts";

/**
 * Returns the merchant of a pair of keys. Throws what `authenticate` throws, and RATE_LIMITED instead of a 401 once the address or the
 * public key has failed too often. The keys are looked at first, so that a correct pair is never refused for what others did.
 */
export async function identify(credentials: Credentials): Promise<Authenticated> {
  try {
    return await authenticate(credentials);
  } catch (error) {
    if (error instanceof Problem && ERROR_STATUS[error.code] === 401) countBadCredentials(credentials);
    throw error;
  }
}
