// For each module that Node loads from a package, it reads the package.json again. That of drizzle-orm has 179 KB, because it names each of
// 447 files three times. We load 300 of its modules, so reading it took 1.4 s of each start. This script keeps the folders, the migrators and the
// files of its root, with one path each. Their types lie beside them.
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
if (!shortened["./pg-core"]) throw new Error(`${FILE} has exports that this script does not know.`);
writeFileSync(FILE, JSON.stringify({ ...rest, exports: shortened }));
