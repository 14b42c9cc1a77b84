import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "./runtime.ts";

const PAGE = readFileSync(join(ROOT, "docs/security-asvs.md"), "utf8");
/** `path/to/a.test.ts` "title of a test" */
const NAMED = /`([\w./[\]-]+\.(?:test|spec)\.ts)` "((?:[^"|]|"(?![;|\s]))+)"/g;

test("every test that the security pages name exists under that title", () => {
  const named = [...PAGE.matchAll(NAMED)].map(([, path = "", title = ""]) => ({ path, title }));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(
    ({ path, title }) => !existsSync(join(ROOT, path)) || !readFileSync(join(ROOT, path), "utf8").includes(title),
  );
  expect(missing).toEqual([]);
});
