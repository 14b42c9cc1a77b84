import ipaddr from "ipaddr.js";

/** Returns whether a text is an IP address or a CIDR range, in the form that an API key takes. For browsers too. */
export function isAddressOrRange(text: string): boolean {
  const [address = "", prefix, ...rest] = text.split("/");
  if (rest.length > 0 || !isAddress(address)) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && ipaddr.isValidCIDR(text));
}

const isAddress = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text) || (text.includes(":") && ipaddr.IPv6.isValid(text));

/** Returns whether one of these addresses and ranges contains an address. A text that is neither contains none. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!isAddress(address)) return false;
  const given = ipaddr.process(address);
  return ranges.filter(isAddressOrRange).some((range) => {
    const whole = range.includes("/") ? range : `${range}/${ipaddr.parse(range).kind() === "ipv4" ? 32 : 128}`;
    const [network, bits] = ipaddr.parseCIDR(whole);
    return network.kind() === given.kind() && given.match(network, bits);
  });
}
