import { BlockList, isIP } from "node:net";

/** Our server writes the peer's address here, over whatever a client sent under that name. */
export const PEER_HEADER = "x-oja-peer";

const plain = (address: string) => address.trim().replace(/^::ffff:/i, "");

/**
 * The client's address. A forwarded address is believed only from a trusted proxy, and read from the right: each trusted hop
 * vouches for the one to its left, and the first address that is not trusted is the client.
 */
export function clientAddress(peer: string, forwardedFor: string | null, trustedProxies: readonly string[]): string {
  if (forwardedFor === null || trustedProxies.length === 0) return plain(peer);
  const trusted = toBlockList(trustedProxies);
  const claimed = forwardedFor.split(",").map(plain);
  const hops = [...claimed.filter((hop) => isIP(hop) !== 0), plain(peer)];
  while (hops.length > 1 && isTrusted(trusted, hops.at(-1) ?? "")) hops.pop();
  return hops.at(-1) ?? "unknown";
}

function isTrusted(list: BlockList, address: string): boolean {
  return list.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

/** A set of addresses and CIDR ranges, IPv4 and IPv6. Throws a RangeError or TypeError for what is neither. */
export function toBlockList(entries: readonly string[]): BlockList {
  const list = new BlockList();
  for (const entry of entries) {
    const [network = "", bits] = entry.split("/");
    const family = isIP(network) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(network, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return list;
}

export function isListed(address: string, list: BlockList): boolean {
  const bare = plain(address);
  return isIP(bare) !== 0 && isTrusted(list, bare);
}
