import { expect, test } from "vitest";
import { changesOf } from "./changes-of.ts";

test("what changed is told in words: times as in Lagos, pictures by the beginning of their names, and nothing as a dash", () => {
  const before = { required_since: null, logo: null, origins: [] };
  const after = { required_since: "2026-11-24T15:23:13.993Z", logo: "fe59fffe5b61492c3fdad96b71e7c0da", origins: ["https://a.example"] };
  expect(changesOf({ before, after })).toEqual([
    { field: "required since", before: "–", after: expect.stringMatching(/^24 Nov 2026, 16:23.* in Lagos$/) },
    { field: "logo", before: "–", after: "picture fe59fff" },
    { field: "origins", before: "none", after: "https://a.example" },
  ]);
});
