import { domainToUnicode } from "node:url";

/** Letters of one alphabet that readers here know. A host that mixes alphabets may imitate another one, so it stays in punycode. */
const LATIN = /^[\p{Script=Latin}\d.-]+$/u;

/** Returns the host of an address as people read it: `büro.example` for `xn--bro-hoa.example`, with its port. */
export function readableHost(address: string): string {
  const { hostname, port } = new URL(address);
  const readable = domainToUnicode(hostname);
  return `${LATIN.test(readable) ? readable : hostname}${port === "" ? "" : `:${port}`}`;
}
