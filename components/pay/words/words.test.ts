import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { english } from "./english.ts";
import { fill, fillText, LANGUAGE_TAGS, LANGUAGES } from "./index.ts";

const gapsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted();
const KEYS = Object.keys(english) as (keyof typeof english)[];
const others = LANGUAGE_TAGS.filter((tag) => tag !== "en");

test.each(others)("every sentence in %s has the same placeholders as in English, so no amount, time or name is missing", (tag) => {
  for (const key of KEYS) expect(gapsOf(LANGUAGES[tag].words[key]), key).toEqual(gapsOf(english[key]));
});

test.each(others)("%s says every sentence in its own words", (tag) => {
  const sentences = KEYS.filter((key) => (english[key].replace(/\{\w+\}/g, "").match(/\p{L}+/gu) ?? []).length > 3);
  expect(sentences.length).toBeGreaterThan(20);
  expect(sentences.filter((key) => LANGUAGES[tag].words[key] === english[key])).toEqual([]);
});

test("a placeholder is filled with escaped text or with markup, and the markup stays markup", () => {
  expect(fillText(english, "payTitle", { amount: "₦1", name: "A & B" })).toBe("Pay ₦1 · A & B");
  const node = fill(english, "instruction", { time: createElement("b", null, "14:32"), amount: "<i>{time}</i>" });
  const html = renderToStaticMarkup(createElement("p", null, node));
  expect(html).toBe("<p>Transfer exactly &lt;i&gt;{time}&lt;/i&gt;, once, before <b>14:32</b> (Lagos time).</p>");
});
