import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const LINE = `{ requestId: "req_1", merchantId: "mer_1", method: "GET", path: "/x", status: 200, code: undefined, durationMs: 3 }`;

/** Runs code beside the log in a process of its own, and returns what it has written. */
function written(after: string): string {
  const code = `import { logAnswered } from "#lib/log.ts"; for (let i = 0; i < 3; i++) logAnswered(${LINE}); ${after}`;
  const env = {
    ...process.env,
    DATABASE_URL: "postgres://nobody@127.0.0.1:1/none",
    LOG_LEVEL: "info",
  };
  return spawnSync(process.execPath, ["--input-type=module", "--eval", code], { env, encoding: "utf8" }).stdout;
}

test.each([
  ["ends by itself", ""],
  ["is told to exit", "process.exit(0);"],
  ["throws an error that is caught by nothing", "throw new Error('a crash');"],
  [
    "rejects a promise that is awaited by nothing",
    "Promise.reject(new Error('a crash')); await new Promise((done) => setTimeout(done, 1_000));",
  ],
])("every logged request is written as a whole line if the process %s", (_, after) => {
  const lines = written(after).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).requestId)).toEqual(["req_1", "req_1", "req_1"]);
});
