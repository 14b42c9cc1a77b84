import { toBlockList } from "#lib/peer.ts";
import { invalid } from "#lib/problem.ts";

/** Throws VALIDATION_ERROR unless each text is an address or a CIDR range. The message names a wrong text by its position only, because the request log stores messages. */
export function requireAddresses(allowedIps: readonly string[]): void {
  const wrong = allowedIps.findIndex((text) => !isAddressOrRange(text));
  if (wrong === -1) return;
  throw invalid("allowed_ips", `Number ${wrong + 1} is not an address or a CIDR range. Send such as 203.0.113.7 or 203.0.113.0/24.`);
}

function isAddressOrRange(text: string): boolean {
  try {
    toBlockList([text]);
    return true;
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) return false;
    throw error;
  }
}
