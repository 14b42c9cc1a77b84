import { settings } from "#lib/env.ts";
import { clientAddress, PEER_HEADER } from "#lib/peer.ts";

/** Returns the client's address. A forwarded address counts only if it comes from a proxy of `TRUSTED_PROXIES`. */
export const clientAddressOf = ({ headers }: { headers: Pick<Headers, "get"> }): string =>
  clientAddress(headers.get(PEER_HEADER) ?? "unknown", headers.get("x-forwarded-for"), settings().TRUSTED_PROXIES);
