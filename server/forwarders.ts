/** A message of a web process to its parent: this address sent X-Forwarded-For, and TRUSTED_PROXIES does not name it. */
export interface UntrustedForwarder {
  untrustedForwarder: string;
}

/** Limits the warnings. More than one, because a stranger may send the header before the proxy does. */
export const MAX_FORWARDERS = 5;
