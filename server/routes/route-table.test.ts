import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ROOT } from "../runtime.ts";
import { readRouteTable, routeTableOf } from "./route-table.ts";

const require = createRequire(import.meta.url);
const UTILS = "next/dist/shared/lib/router/utils";
const { getSortedRoutes } = require(`${UTILS}/sorted-routes.js`);
const { getRouteRegex } = require(`${UTILS}/route-regex.js`);
const { getRouteMatcher } = require(`${UTILS}/route-matcher.js`);

/** Pages that Next answers with by itself, when it finds no other. */
const NOT_OPENED = /^\/_/;
const manifest: Record<string, string> = JSON.parse(readFileSync(join(ROOT, ".next/app-path-routes-manifest.json"), "utf8"));
const ofNext = Object.entries(manifest).filter(([, path]) => !NOT_OPENED.test(path));
const table = readRouteTable();

test("the table has the pages and routes of Next's own manifest, and no other", () => {
  const kindOf = (source: string) => source.slice(source.lastIndexOf("/") + 1);
  const own = table.entries.map(({ kind, path, file }) => `${kind} ${path} in /${file.replace(/\.tsx?$/, "")}`);
  expect(own.sort()).toEqual(ofNext.map(([source, path]) => `${kindOf(source)} ${path} in ${source}`).sort());
});

/** Addresses near a path of the table: with other values, names of its neighbours, one part more or less, and encoded parts. */
function addressesNear(path: string): string[] {
  const names = [...new Set(table.entries.flatMap((each) => each.path.split("/")))].filter((name) => name && !name.startsWith("["));
  const parts = path.split("/").slice(1);
  const plain = `/${parts.map((part) => (part.startsWith("[") ? "x" : part)).join("/")}`;
  const withNeighbours = parts.flatMap((part, at) =>
    part.startsWith("[")
      ? names
          .filter((_, i) => i % 9 === at % 9)
          .map((name) =>
            plain
              .split("/")
              .with(at + 1, name)
              .join("/"),
          )
      : [],
  );
  const shorter = plain.slice(0, plain.lastIndexOf("/")) || "/";
  return [plain, `${plain}/`, `${plain}/more`, shorter, plain.replaceAll("x", "%C3%A4"), plain.replace("a", "%61"), ...withNeighbours];
}

/** Finds a path as Next does: first among those without parameters, then by its sorted expressions. */
function foundByNext(path: string) {
  const asked = path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
  const paths = ofNext.map(([, each]) => each);
  if (!asked.includes("[") && paths.includes(asked)) return { path: asked, params: {} };
  for (const each of getSortedRoutes(paths.filter((name) => name.includes("[")))) {
    const params = getRouteMatcher(getRouteRegex(each))(asked);
    if (params) return { path: each, params };
  }
  return undefined;
}

test("a path leads to the same page or route, with the same parameters, as by Next's own rules", () => {
  const addresses = [...new Set(table.entries.flatMap(({ path }) => addressesNear(path)))].filter((address) => !address.includes("//"));
  expect(addresses.length).toBeGreaterThan(1_000);
  const different = addresses.flatMap((address) => {
    const found = table.find(address);
    const own = found && { path: found.entry.path, params: found.params };
    const theirs = foundByNext(address);
    return JSON.stringify(own) === JSON.stringify(theirs) ? [] : [{ address, own, theirs }];
  });
  expect(different).toEqual([]);
});

test("folders whose names begin with an underscore, other files and pages of development have no address", () => {
  const folder = mkdtempSync(join(tmpdir(), "routes-"));
  for (const file of [
    "a/route.ts",
    "_b/route.ts",
    "a/_c/page.tsx",
    "(group)/d/page.tsx",
    "a/route.test.ts",
    "e/page.dev.tsx",
    "a/my-route.ts",
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), "");
  }
  expect(
    readRouteTable(folder)
      .entries.map(({ kind, path }) => `${kind} ${path}`)
      .sort(),
  ).toEqual(["page /d", "route /a"]);
  rmSync(folder, { recursive: true });
});

describe("the addresses of members of one business", () => {
  test.each([
    ["/test", "/b/[business]/[mode]", "own", "test"],
    ["/live/links", "/b/[business]/[mode]/links", "own", "live"],
    ["/test/links/new/preview", "/b/[business]/[mode]/links/new/preview", "own", "test"],
    ["/live/settings/brand/preview", "/b/[business]/[mode]/settings/brand/preview", "own", "live"],
    ["/b/biz_1/test/links", "/b/[business]/[mode]/links", "biz_1", "test"],
  ])("%s is %s of business %s in mode %s", (address, path, business, mode) => {
    expect(table.find(address)).toMatchObject({ entry: { path }, params: { business, mode } });
  });

  test("a path segment that only begins like a mode is not read as a mode", () => {
    expect(table.find("/testing/links")?.entry.path).toBe("/[...path]");
  });
});

test("a path that is removed from the table falls to the next matching route, so that the comparison with Next can fail", () => {
  const without = routeTableOf(table.entries.filter(({ path }) => path !== "/api/v1/wallet"));
  expect(without.find("/api/v1/wallet")?.entry.path).toBe("/api/[...path]");
  expect(table.find("/api/v1/wallet")?.entry.path).toBe("/api/v1/wallet");
});
