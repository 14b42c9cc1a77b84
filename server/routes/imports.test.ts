import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../runtime.ts";
import { readRouteTable } from "./route-table.ts";

const IMPORT = /(?:^|\n)\s*(?:import|export)\s(?!type\b)[^;]*?from\s+"([^"]+)"|import\(\s*"([^"]+)"\s*\)|(?:^|\n)import\s+"([^"]+)"/g;

function importsOf(file: string): string[] {
  return [...readFileSync(file, "utf8").matchAll(IMPORT)].map(([, from, dynamic, bare]) => from ?? dynamic ?? bare ?? "");
}

const fileOf = (specifier: string, from: string): string | undefined => {
  if (specifier.startsWith("#")) return join(ROOT, specifier.slice(1));
  return specifier.startsWith(".") ? join(dirname(from), specifier) : undefined;
};

/** Returns the packages that a file reaches, each with the file that imports it. */
function packagesOf(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  return importsOf(file).flatMap((specifier) => {
    const own = fileOf(specifier, file);
    return own ? packagesOf(own, seen) : [`${specifier} of ${relative(ROOT, file)}`];
  });
}

test("no route reaches a part of Next, so our server calls it, a test calls it, and any host of Next runs it", () => {
  const routes = readRouteTable().entries.filter(({ kind }) => kind === "route");
  expect(routes.length).toBeGreaterThan(150);
  const ofNext = routes.flatMap(({ file }) => packagesOf(join(ROOT, "app", file)).filter((name) => /^next(?:\/| )/.test(name)));
  expect([...new Set(ofNext)]).toEqual([]);
});

test("the search of imports finds a part of Next that a page imports", () => {
  expect(packagesOf(join(ROOT, "app/layout.tsx")).some((name) => /^next\//.test(name))).toBe(true);
});
