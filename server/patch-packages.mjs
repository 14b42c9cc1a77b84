// Mends what a package gets wrong until a release of it does, after each install. Fails when the package is not the one it knows.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const WRITE = "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)";
const GUARDED_WRITE = `  function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
    const x = socket.write(chunk, fn)`;
const FETCH_TYPES = "        return fetchArrayTypes()\n";
const GUARDED_FETCH_TYPES = "        return fetchArrayTypes().catch(() => {})\n";

const patches = [
  {
    package: "postgres",
    version: "3.4.9",
    files: ["src/connection.js", "cjs/src/connection.js"],
    edits: [
      // porsager/postgres#1208: a write that was put off comes when the connection has gone, and ends the whole process. Its query is
      // rejected instead, as any other of a connection that has gone.
      { find: WRITE, replace: GUARDED_WRITE },
      // A connection that goes while it asks for the array types rejects a promise that nobody holds, which ends the process as well.
      // Whatever waits for the connection hears of it by its closing.
      { find: FETCH_TYPES, replace: GUARDED_FETCH_TYPES },
    ],
  },
];

for (const { package: name, version, files, edits } of patches) {
  const folder = join(import.meta.dirname, "..", "node_modules", name);
  const installed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  if (installed !== version) throw new Error(`${name} is ${installed}: look whether the patch for ${version} is still needed.`);
  for (const file of files.map((each) => join(folder, each))) {
    let text = readFileSync(file, "utf8");
    for (const { find, replace } of edits) {
      if (text.includes(replace)) continue;
      if (text.split(find).length !== 2) throw new Error(`${file} is not what the patch expects.`);
      text = text.replace(find, () => replace);
    }
    writeFileSync(file, text);
  }
}
