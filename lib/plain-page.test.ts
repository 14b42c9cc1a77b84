import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { TOKENS } from "./plain-page.ts";

const css = readFileSync(new URL("../components/theme.css", import.meta.url), "utf8");
const people = readFileSync(new URL("../components/ui/base.css", import.meta.url), "utf8");
const [light = "", dark = ""] = css.split("@media (prefers-color-scheme: dark)");

test.each(Object.entries(TOKENS.light))("plain pages have the theme's %s by day", (name, value) => {
  expect(light).toContain(`--color-${name}: ${value};`);
});

test.each(Object.entries(TOKENS.dark))("plain pages have the theme's %s by night", (name, value) => {
  expect(name.startsWith("brand") ? people : dark).toContain(`--color-${name}: ${value};`);
});
