import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Our server writes the peer's address to this header, and overwrites a value from the client. */
export const PEER_HEADER = "x-oja-peer";

/** Enough for a dozen hops. Addresses further left come from the client, or from proxies that are not trusted. */
const MAX_FORWARDED_CHARACTERS = 500;

/** Returns an address without a zone, a port, brackets or the IPv6 prefix of an IPv4 address. Some proxies write `203.0.113.9:51234`. */
function plain(written: string): string {
  // The zone of a link-local address names a network interface, or is any text from a client.
  const address = written
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, "$1")
    .replace(/%.*$/, "");
  return address.replace(/^::ffff:/i, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

/**
 * Returns the client's address. Uses a forwarded address only from a trusted proxy, and reads the list from the right: each trusted hop
 * vouches for the address to its left. An invalid entry ends the search, and the last address with a trusted source is the client's.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustedProxies: BlockList): string {
  let address = plain(peer);
  if (forwardedFor === null || !isListed(address, trustedProxies)) return address;
  for (const hop of forwardedFor.slice(-MAX_FORWARDED_CHARACTERS).split(",").map(plain).reverse()) {
    if (!isListed(address, trustedProxies) || isIP(hop) === 0) break;
    address = hop;
  }
  return address;
}

/** Returns the part of an address that one customer of a network has alone: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const bare = plain(address);
  if (isIP(bare) !== 6) return bare;
  return ipaddr.parse(bare).toByteArray().slice(0, 8).join(".");
}

/** Returns the first 48 bits of an IPv6 address, which one customer may have in full, or null for an IPv4 address. */
export function siteOf(address: string): string | null {
  const bare = plain(address);
  return isIP(bare) === 6 ? ipaddr.parse(bare).toByteArray().slice(0, 6).join(".") : null;
}

/** Returns a set of IPv4 and IPv6 addresses and CIDR ranges. Throws a RangeError or TypeError for an invalid entry. */
export function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = "", bits, ...more] = entry.split("/");
    const wellFormed = isIP(network) !== 0 && more.length === 0 && (bits === undefined || /^\d{1,3}$/.test(bits));
    if (!wellFormed) throw new RangeError(`not an address or CIDR range: ${entry}`);
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(network, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return list;
}

/** Returns whether an address is in a list. Returns false for an invalid address. */
export function isListed(address: string, list: BlockList): boolean {
  const bare = plain(address);
  const version = isIP(bare);
  return version !== 0 && list.check(bare, version === 6 ? "ipv6" : "ipv4");
}
