// Mends what a package gets wrong until a release of it does, after each install. Fails when the package is not the one it knows.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const patches = [
  {
    // porsager/postgres#1208: a write that was put off comes when the connection has gone, and ends the whole process. Its query is
    // rejected instead, as any other of a connection that has gone.
    package: "postgres",
    version: "3.4.9",
    files: ["src/connection.js", "cjs/src/connection.js"],
    find: "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)",
    replace:
      "  function nextWrite(fn) {\n    if (socket === null) {\n      chunk = nextWriteTimer = null\n      error(Errors.connection('CONNECTION_CLOSED', options, socket))\n      return false\n    }\n    const x = socket.write(chunk, fn)",
  },
];

for (const { package: name, version, files, find, replace } of patches) {
  const folder = join(import.meta.dirname, "..", "node_modules", name);
  const installed = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version;
  if (installed !== version) throw new Error(`${name} is ${installed}: look whether the patch for ${version} is still needed.`);
  for (const file of files.map((each) => join(folder, each))) {
    const text = readFileSync(file, "utf8");
    if (text.includes(replace)) continue;
    if (text.split(find).length !== 2) throw new Error(`${file} is not what the patch expects.`);
    writeFileSync(
      file,
      text.replace(find, () => replace),
    );
  }
}
