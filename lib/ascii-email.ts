/** As long as a domain may be, with letters that punycode makes longer. */
const MAX_CHARACTERS = 320;
const DOMAIN = /^[^\s/?#@:\\[\]%]+$/;

/** Returns an email with its domain in punycode: `ada@büro.example` is `ada@xn--bro-hoa.example`. Returns other text unchanged. */
export function asciiEmail(text: string): string {
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression tells ASCII from other text
  if (at < 1 || text.length > MAX_CHARACTERS || /^[\x00-\x7f]*$/.test(domain) || !DOMAIN.test(domain)) return text;
  const address = `http://${domain}`;
  return URL.canParse(address) ? `${text.slice(0, at)}@${new URL(address).hostname}` : text;
}
