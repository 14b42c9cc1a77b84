import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { LoggedRequest } from "../to-view.ts";
import { asCurl } from "./as-curl.ts";

const request = (fields: Partial<LoggedRequest>): LoggedRequest => ({
  ...{ id: "req_1", caller: "key", apiKeyId: "key_1", userId: null, endpoint: null, method: "GET", path: "/api/v1/wallet", status: 200 },
  ...{ errorCode: null, durationMs: 1, clientAddress: "203.0.113.7", queryFields: [], bodyFields: [], problems: [], createdAt: new Date() },
  ...fields,
});

/** Returns the arguments that a shell gives to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync("sh", ["-c", `OJA_KEY=pk OJA_SECRET=sk; curl() { for given in "$@"; do printf '%s\\n' "$given"; done; }; ${command}`], {
    encoding: "utf8",
  })
    .trimEnd()
    .split("\n");

test("a read becomes a command that a shell accepts, with the names of its parameters and no value", () => {
  expect(argumentsOf(asCurl(request({ queryFields: ["limit", "status"] }), "https://oja.example"))).toEqual([
    "https://oja.example/api/v1/wallet?limit=…&status=…",
    ...["-H", "X-Api-Key: pk", "-H", "X-Api-Secret: sk"],
  ]);
});

test("a write names the fields of its body, and no value", () => {
  const command = asCurl(
    request({ method: "POST", path: "/api/v1/checkout/create", bodyFields: ["amount", "metadata"] }),
    "https://oja.example",
  );
  expect(argumentsOf(command)).toEqual([
    ...["-X", "POST", "https://oja.example/api/v1/checkout/create", "-H", "X-Api-Key: pk", "-H", "X-Api-Secret: sk"],
    ...["-H", "Content-Type: application/json", "-d", '{"amount":"…","metadata":"…"}'],
  ]);
});
