import { existsSync, globSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
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

/** Returns the rooms of each noun, in the order of docs/architecture.md. */
function roomsOfNouns(): Map<string, string[]> {
  const rooms = new Map<string, string[]>();
  for (const [, noun, room] of read("docs/architecture.md").matchAll(/^(?:- \*\*(\w+)\*\*| {2}- `([\w-]+)\/`:)/gm)) {
    if (noun) rooms.set(noun, []);
    else if (room) [...rooms.values()].at(-1)?.push(room);
  }
  return rooms;
}

test("a room of a service imports only rooms that the list of rooms has before it, and the list has all rooms", () => {
  const nouns = roomsOfNouns();
  const found = new Set(globSync("services/*/*/*.ts", { cwd: ROOT }).map((file) => file.split("/").slice(1, 3).join("/")));
  const listed = [...nouns].flatMap(([noun, rooms]) => rooms.map((room) => `${noun}/${room}`));
  expect([...found].filter((room) => room !== "mails/templates").toSorted()).toEqual(listed.toSorted());
  const rankOf = (noun: string, file: string) =>
    (nouns.get(noun) ?? []).indexOf(relative(join(ROOT, "services", noun), file).split("/")[0] ?? "");
  const product = globSync(`services/{${[...nouns.keys()].join(",")}}/**/*.ts`, { cwd: ROOT }).filter(
    (file) => !/\.(?:test|fixture)\.ts$/.test(file),
  );
  const upward = product.flatMap((file) => {
    const noun = file.split("/")[1] ?? "";
    if (file === `services/${noun}/index.ts`) return [];
    const imported = [...read(file).matchAll(/from "(\.[^"]+)"/g)].map(([, path = ""]) => resolve(join(ROOT, file), "..", path));
    return imported
      .filter((path) => rankOf(noun, path) > rankOf(noun, join(ROOT, file)))
      .map((path) => `${file} imports ${relative(ROOT, path)}`);
  });
  expect(product.length).toBeGreaterThan(150);
  expect(upward).toEqual([]);
});
