/** The URL standard drops tabs and line breaks, and reads a backslash as a slash: the called address would then differ from the sent one. */
const REFUSED = /[\p{Cc}\\]/u;

/**
 * Returns an address as the URL standard reads it: its host in punycode, its path encoded. Returns undefined for other text, and for an address with
 * a control character or a backslash.
 */
export const toWebAddress = (text: string): URL | undefined => (!REFUSED.test(text) && URL.canParse(text) ? new URL(text) : undefined);

/** Returns whether a typed text is the host of an address, with its port: in letters or in punycode, in any case. */
export function isHostOf(typed: string, address: string): boolean {
  const { protocol, host } = new URL(address);
  return toWebAddress(`${protocol}//${typed.trim()}`)?.href === `${protocol}//${host}/`;
}
