import { expect, test } from "vitest";
import { askHrefOf } from "./ask-href.ts";

const ask = (supportPhone: string | null, supportEmail: string | null) =>
  askHrefOf({ supportPhone, supportEmail }, { text: "Hello & welcome, reference A1", subject: "Ask for a new link" });

test.each([
  ["+234 803 123 4567", "hi@shop.ng", "https://wa.me/2348031234567?text=Hello%20%26%20welcome%2C%20reference%20A1"],
  ["08031234567", null, "https://wa.me/2348031234567?text=Hello%20%26%20welcome%2C%20reference%20A1"],
  ["01 234 5678", "hi@shop.ng", "mailto:hi@shop.ng?subject=Ask%20for%20a%20new%20link&body=Hello%20%26%20welcome%2C%20reference%20A1"],
  ["01 234 5678", null, "tel:012345678"],
  [null, "hi@shop.ng", "mailto:hi@shop.ng?subject=Ask%20for%20a%20new%20link&body=Hello%20%26%20welcome%2C%20reference%20A1"],
  ["0700 123 4567", "hi@shop.ng", "mailto:hi@shop.ng?subject=Ask%20for%20a%20new%20link&body=Hello%20%26%20welcome%2C%20reference%20A1"],
  ["0800 123 4567", null, "tel:08001234567"],
  ["-----", null, null],
  [null, null, null],
])("a payer contacts a merchant with the phone %s and the mail %s in the way that is most likely to reach it", (phone, mail, href) => {
  expect(ask(phone, mail)).toBe(href);
});
