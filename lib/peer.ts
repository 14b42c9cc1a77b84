import { BlockList, isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Our server writes the peer's address here, over whatever a client sent under that name. */
export const PEER_HEADER = "x-oja-peer";

/** A dozen hops. What stands further left was written by the client, or by proxies that nobody trusts. */
const MAX_FORWARDED_CHARACTERS = 500;

/** Without a zone, a port, brackets or the prefix of an IPv4 address in IPv6's clothes: some proxies write `203.0.113.9:51234`. */
function plain(written: string): string {
  // The zone of a link-local address names an interface of ours, or whatever a client writes there.
  const address = written
    .trim()
    .replace(/^\[(.+)\](:\d+)?$/, "$1")
    .replace(/%.*$/, "");
  return address.replace(/^::ffff:/i, "").replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, "$1");
}

/**
 * The client's address. A forwarded address is believed only from a trusted proxy, and read from the right: each trusted hop vouches
 * for the one to its left. What is no address ends the walk: the last one that somebody trusted has vouched for is the client.
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

/** What one customer of a network has for themselves: an IPv4 address, or the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  const bare = plain(address);
  if (isIP(bare) !== 6) return bare;
  return ipaddr.parse(bare).toByteArray().slice(0, 8).join(".");
}

/** A set of addresses and CIDR ranges, IPv4 and IPv6. Throws a RangeError or TypeError for what is neither. */
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

export function isListed(address: string, list: BlockList): boolean {
  const bare = plain(address);
  const version = isIP(bare);
  return version !== 0 && list.check(bare, version === 6 ? "ipv6" : "ipv4");
}
