import { expect, test } from "vitest";
import { readableAddress, readableHost } from "./readable-host.ts";
import { isHostOf, toWebAddress } from "./web-address.ts";

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

test.each([
  ["https://xn--bro-hoa.example/xn--bro-hoa.example?to=a#b", "https://büro.example/xn--bro-hoa.example?to=a#b"],
  ["https://xn--bro-hoa.example:8443", "https://büro.example:8443"],
  ["https://xn--pple-43d.example/hook", "https://xn--pple-43d.example/hook"],
  ["https://shop.example/B%C3%BCro", "https://shop.example/B%C3%BCro"],
  ["http://[::1]:3000/", "http://[::1]:3000/"],
])("the address %s is shown as %s, and is read back", (address, shown) => {
  expect(readableAddress(address)).toBe(shown);
  expect(toWebAddress(shown)?.href).toBe(new URL(address).href);
});

test.each(["büro.example", "xn--bro-hoa.example", "BÜRO.Example", " Xn--Bro-Hoa.example "])(
  "%j is the host of its address, in both notations",
  (typed) => {
    expect(isHostOf(typed, "https://xn--bro-hoa.example/hook")).toBe(true);
    expect(isHostOf(typed, "https://büro.example/hook")).toBe(true);
  },
);

test.each(["", "buro.example", "büro.example/hook", "x@büro.example", "büro.example:8443", "https://büro.example", "büro.example\\"])(
  "%j is not the host",
  (typed) => {
    expect(isHostOf(typed, "https://xn--bro-hoa.example/hook")).toBe(false);
  },
);

test("a port is a part of the host", () => {
  expect(isHostOf("büro.example:8443", "https://xn--bro-hoa.example:8443/hook")).toBe(true);
  expect(isHostOf("büro.example", "https://xn--bro-hoa.example:8443/hook")).toBe(false);
});
