// Node reads the package.json of a package again for each of its modules that it loads. That of drizzle-orm is 179 KB, because it names each of
// 447 files three times, and it has 300 modules: reading it took 1.4 s of each start. This script leaves the folders, the migrators and the files
// of its root, by one path each; types stand beside them.
import { readFileSync, writeFileSync } from "node:fs";

const FILE = "node_modules/drizzle-orm/package.json";
const IS_KEPT = /(\/index|\/migrator|^\.\/[a-z.-]+)\.js$/;

const { exports, ...rest } = JSON.parse(readFileSync(FILE, "utf8"));
const pathOf = (condition) => condition.default ?? condition;
const shortened = {};
for (const [name, entry] of Object.entries(exports)) {
  const [path, ofRequire] = [pathOf(entry.import), pathOf(entry.require)];
  if (IS_KEPT.test(path)) shortened[name] = { import: path, require: ofRequire };
}
if (!shortened["./pg-core"]) throw new Error(`${FILE} has other exports than this script knows.`);
writeFileSync(FILE, JSON.stringify({ ...rest, exports: shortened }));
