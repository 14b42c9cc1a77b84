import { expect, test } from "vitest";
import { emailText, nairaBetween, nameText } from "./fields.ts";

test.each([
  ["Ọ̀ṣun Adé", "Ọ̀ṣun Adé"],
  ["  Ada Obi  ", "Ada Obi"],
  ["👩🏾‍🌾 Farms", "👩🏾‍🌾 Farms"],
  ["محمد", "محمد"],
])("the name %j is kept as %j", (sent, kept) => {
  expect(nameText(100).parse(sent)).toBe(kept);
});

test.each(["Ada\u202eibO", "Ada\u2066Obi", "Ada\u200b Obi", "Ada\nObi", "Ada\u2028Obi", "Ada\u00adObi", "\u2800"])(
  "the name %j is refused in words",
  (sent) => {
    const { error } = nameText(100).safeParse(sent);
    expect(error?.issues.map(({ message }) => message)).toEqual([
      "Send one line of letters, digits and signs, without invisible characters.",
    ]);
  },
);

test("an email's domain may have letters beyond ASCII, and is kept in punycode", () => {
  expect(emailText.parse("ada@büro.example")).toBe("ada@xn--bro-hoa.example");
  for (const text of ["ada@", "büro.example", "ada@büro", "ada@bü ro.example"])
    expect([text, emailText.safeParse(text).success]).toEqual([text, false]);
});

test("an amount that is too large is refused for its size alone", () => {
  const said = (value: number) =>
    nairaBetween(100, 1_000)
      .safeParse(value)
      .error?.issues.map(({ message }) => message);
  expect(said(1e22)).toEqual(["Send at most 1,000 Naira."]);
  expect(said(100.005)).toEqual(["Send at most two decimals."]);
  expect(said(1_000)).toBeUndefined();
});
