import { expect, test } from "vitest";
import { requireGoodPassword } from "./password-strength.ts";

const GOOD = "seven lorries of ripe plantain";

test.each(["P@$$w0rd!234", "4dm1n1$tr4t0r", "Ch0c0l4t3Ch0c0l4t3"])("common words in digits and signs are refused: %s", (password) => {
  expect(() => requireGoodPassword(password, [])).toThrow("easy to guess");
});

test.each([
  ["full-width letters", "ｐａｓｓｗｏｒｄ１２３４５６"],
  ["letters in circles", "ⓟⓐⓢⓢⓦⓞⓡⓓ①②③④⑤⑥"],
])("a common password is refused in %s too", (_form, password) => {
  expect(() => requireGoodPassword(password, [])).toThrow("easy to guess");
});

test("a password's length is counted in composed letters: six letters with separate marks count as six", () => {
  expect(() => requireGoodPassword("ọ̀ẹ́ṣùàí".normalize("NFD"), [])).toThrow("at least 12");
});

test("known words are found in a password also in other letters, and in any of the first three known texts", () => {
  expect(() => requireGoodPassword("Ｏｌｕｗａｓｅｕｎ Adebayo", ["Oluwaseun", "a@b.example", "Adebayo Ventures"])).toThrow(
    "easy to guess",
  );
});

test("a long password with a good beginning is accepted, and one whose beginning is easy to guess is refused", () => {
  requireGoodPassword(GOOD + "a".repeat(98), ["Ada"]);
  expect(() => requireGoodPassword("a".repeat(40) + GOOD, [])).toThrow("easy to guess");
});
