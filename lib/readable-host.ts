import { domainToUnicode } from "node:url";

/** Letters of English, with marks. Other letters may imitate these (`ɡ`, `ı`, Cyrillic ones), so a host with one stays in punycode. */
const ENGLISH_WITH_MARKS = /^(?:[a-z]\p{Mn}*|[\d.-])+$/u;

/**
 * Returns an address with its host as people read it: `https://büro.example/thanks` for `https://xn--bro-hoa.example/thanks`. `toWebAddress` reads it
 * back.
 */
export const readableAddress = (address: string): string => address.replace(new URL(address).host, readableHost(address));

/** Returns the host of an address as people read it: `büro.example` for `xn--bro-hoa.example`, with its port. */
export function readableHost(address: string): string {
  const { hostname, port } = new URL(address);
  const readable = domainToUnicode(hostname);
  return `${ENGLISH_WITH_MARKS.test(readable.normalize("NFD")) ? readable : hostname}${port === "" ? "" : `:${port}`}`;
}
