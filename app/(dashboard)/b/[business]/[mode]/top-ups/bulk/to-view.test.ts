import { expect, test } from "vitest";
import { wordsOfDuplicate } from "./to-view.ts";

test.each([
  ["row 2", "The same as line 2."],
  ["blk_01M83MJRCYGVSNJVY6B10HDKX5", "Another file that is not finished buys this too."],
  ["vtu_01M83MJRC4S95P6E2FS4T3VJM8", "You bought this within the last 24 hours."],
])("the message about a duplicate of %s contains no id", (duplicateOf, words) => {
  expect(wordsOfDuplicate({ duplicateOf })).toBe(words);
});
