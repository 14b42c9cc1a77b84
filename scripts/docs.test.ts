import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SETTING_NAMES } from "#lib/env.ts";
import { createProgram } from "../cli/program.ts";
import { ROOT } from "../server/runtime.ts";

const read = (file: string) => readFileSync(join(ROOT, file), "utf8");

/** Matches a citation like `path/to/a.test.ts` "title of a test". */
const NAMED_TEST = /`([\w./[\]()-]+\.(?:test|spec)\.ts)` "((?:[^"|]|"(?![;|\s]))+)"/g;

test("every test that the security pages name exists under that title", () => {
  const named = [...read("docs/security-asvs.md").matchAll(NAMED_TEST)].map(([, path = "", title = ""]) => ({ path, title }));
  expect(named.length).toBeGreaterThan(100);
  const missing = named.filter(({ path, title }) => !existsSync(join(ROOT, path)) || !read(path).includes(title));
  expect(missing).toEqual([]);
});

/** Matches a path like `path/to/a/file.ts`. NAME stands for any name, as in `providers/NAME/NAME.test.ts`. */
const NAMED_FILE = /`([\w.@[\]()-]+(?:\/[\w.[\]()-]+)+\.(?:ts|tsx|mjs|sql|md))`/g;

test("every file that the docs name exists", () => {
  const pages = ["README.md", "CONTRIBUTING.md", "SECURITY.md", ...globSync("docs/**/*.md", { cwd: ROOT })];
  const named = pages.flatMap((page) => [...read(page).matchAll(NAMED_FILE)].map(([, file = ""]) => ({ page, file })));
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter(({ file }) => !file.includes("NAME") && !existsSync(join(ROOT, file)))).toEqual([]);
});

test(".env.example has every setting, and no other", () => {
  const named = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(SETTING_NAMES.toSorted());
});

/** Matches a command line such as `npm run oja -- cards resolve CARD`. */
const NAMED_COMMAND = /npm run oja -- ([a-z][a-z-]*)/g;

test("every command that documents and messages name exists", () => {
  const files = [
    "README.md",
    "CONTRIBUTING.md",
    ...globSync(["docs/**/*.md", "{app,cli,services,server,worker,lib,db}/**/*.ts"], { cwd: ROOT }),
  ];
  const named = files.flatMap((file) => [...read(file).matchAll(NAMED_COMMAND)].map(([, command = ""]) => ({ file, command })));
  expect(named.length).toBeGreaterThan(10);
  const known = new Set(["help", ...createProgram().commands.map((command) => command.name())]);
  expect(named.filter(({ command }) => !known.has(command))).toEqual([]);
});
