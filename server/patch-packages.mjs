// Mends what a package gets wrong until a release of it does, after each install. Fails when the package is not the one it knows.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const edit = (find, replace) => ({ find, replace });

const patches = [
  {
    package: "postgres",
    version: "3.4.9",
    files: ["src/connection.js", "cjs/src/connection.js"],
    edits: [
      // porsager/postgres#1208: a write that was put off comes when the connection has gone, and ends the whole process. Its query is
      // rejected instead, as any other of a connection that has gone.
      edit(
        "  function nextWrite(fn) {\n    const x = socket.write(chunk, fn)",
        `  function nextWrite(fn) {
    if (socket === null) {
      chunk = nextWriteTimer = null
      const lost = Errors.connection('CONNECTION_CLOSED', options, socket)
      query && queryError(query, lost)
      while (sent.length)
        queryError(sent.shift(), lost)
      return false
    }
    const x = socket.write(chunk, fn)`,
      ),
      // What was put off for the connection that has gone would be sent before the greeting of the next one, which then never answers.
      edit(
        "    clearImmediate(nextWriteTimer)\n    socket.rem",
        "    clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.rem",
      ),
      // A connection that goes while it asks for the array types rejects a promise that nobody holds, which ends the process as well.
      // Whatever waits for the connection hears of it by its closing.
      edit("        return fetchArrayTypes()\n", "        return fetchArrayTypes().catch(() => {})\n"),
    ],
  },
  {
    package: "postgres",
    version: "3.4.9",
    files: ["src/index.js", "cjs/src/index.js"],
    edits: [
      // A transaction whose connection has gone must not go on with it: reconnected, it may be in the middle of another transaction.
      edit("    let savepoints = 0\n      , connection\n", "    let savepoints = 0\n      , lost = null\n      , connection\n"),
      edit(
        "new Promise((_, reject) => connection.onclose = reject)",
        "new Promise((_, reject) => connection.onclose = e => { lost = e; reject(e) })",
      ),
      edit(
        "        q.catch(e => uncaughtError || (uncaughtError = e))\n        c.queue",
        "        q.catch(e => uncaughtError || (uncaughtError = e))\n        if (lost)\n          return q.reject(lost)\n        c.queue",
      ),
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
