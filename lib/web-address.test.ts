import { expect, test } from "vitest";
import { readableHost } from "./readable-host.ts";
import { toWebAddress } from "./web-address.ts";

test.each([
  ["https://evil.example\\@good.example"],
  ["https://good.example/thanks\n"],
  ["https://good.example/\tthanks"],
  ["https://good.example/\u0000"],
  ["\\\\good.example"],
  ["good.example"],
  [""],
])("%j is refused", (text) => {
  expect(toWebAddress(text)).toBeUndefined();
});

test.each([
  ["https://büro.example/a b", "https://xn--bro-hoa.example/a%20b"],
  ["HTTPS://Shop.Example:443/Pay?x=1#y", "https://shop.example/Pay?x=1#y"],
  [" https://shop.example ", "https://shop.example/"],
])("%j is kept as the URL standard writes it", (text, href) => {
  expect(toWebAddress(text)?.href).toBe(href);
});

test.each([
  ["https://xn--bro-hoa.example/x", "büro.example"],
  ["https://shop.example:8443", "shop.example:8443"],
  // "аpple" begins with a Cyrillic letter.
  ["https://xn--pple-43d.example", "xn--pple-43d.example"],
  ["https://xn--ba-hia.example", "xn--ba-hia.example"],
  // A script g (U+0261), and a dotless i.
  ["https://ɡtbank.example", "xn--tbank-qmc.example"],
  ["https://paypaı.example", "xn--paypa-r4a.example"],
  ["https://ọ̀ṣun.example", "ọ̀ṣun.example"],
  ["http://127.0.0.1:3000", "127.0.0.1:3000"],
])("the host of %s is shown as %s", (address, shown) => {
  expect(readableHost(address)).toBe(shown);
});
