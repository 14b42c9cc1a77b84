import { expect, test } from "vitest";
import { isBlank } from "./blank.ts";

test.each(["", "   ", "\t\n", "\u00a0\u3000", "\u200b\u200d\ufeff", "\u202e\u2066", "\u2800", "\u3164", "\u00ad", "\ufe0f"])(
  "%j shows nothing",
  (text) => {
    expect(isBlank(text)).toBe(true);
  },
);

test.each(["a", " . ", "0", "👩🏾‍🌾", "Ọ̀ṣun", "\u200ba"])("%j shows something", (text) => {
  expect(isBlank(text)).toBe(false);
});
