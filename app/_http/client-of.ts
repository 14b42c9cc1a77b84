import { settings } from "#lib/env.ts";
import { clientAddress, PEER_HEADER } from "#lib/peer.ts";

/** The address that a request comes from, as far as `TRUSTED_PROXIES` vouch for it. */
export const clientOf = ({ headers }: Request): string =>
  clientAddress(headers.get(PEER_HEADER) ?? "unknown", headers.get("x-forwarded-for"), settings().TRUSTED_PROXIES);
