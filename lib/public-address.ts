import ipaddr from "ipaddr.js";

/**
 * Networks that have no host on the public internet or lead to private hosts. `ipaddr.js` calls them unicast, because it follows IANA's
 * special-purpose registries (RFC 6890 and its updates).
 */
const REFUSED: [network: string, bits: number][] = [
  ["168.63.129.16", 32], // Azure's own services, as every virtual machine there sees them
  ["192.88.99.0", 24], // 6to4 relays
  ["2001::", 23], // IETF protocol assignments, Teredo among them
  ["2001:db8::", 32],
  ["2002::", 16], // 6to4 carries an IPv4 address
  ["3fff::", 20],
];
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

/** Returns the address that a packet reaches. An IPv4 address may be written as IPv6, mapped or through NAT64. */
function destinationOf(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/** Returns whether an IP address is loopback, also an IPv4 address written as IPv6. */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && destinationOf(ipaddr.parse(text)).range() === "loopback";
}

/** Returns whether an IP address is on the public internet. Returns false for an invalid address. */
export function isPublic(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes("%")) return false;
  const address = destinationOf(ipaddr.parse(text));
  if (address.range() !== "unicast") return false;
  if (address instanceof ipaddr.IPv6 && !address.match(GLOBAL_UNICAST)) return false;
  return !REFUSED.some(([network, bits]) => {
    const refused = ipaddr.parse(network);
    return refused.kind() === address.kind() && address.match(refused, bits);
  });
}
