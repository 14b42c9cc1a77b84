import fc from "fast-check";
import { expect, test } from "vitest";
import { z } from "zod";
import { Problem } from "#lib/problem.ts";
import { readInput } from "./read-input.ts";

const Body = z.strictObject({ name: z.string(), tags: z.record(z.string(), z.string()).optional(), email: z.email().optional() });
const Query = z.object({ status: z.string().optional(), limit: z.coerce.number().optional() });
const Params = z.object({ id: z.string() });

const post = (raw: string) =>
  new Request("http://oja.example/", { method: "POST", body: raw, headers: { "Content-Type": "application/json" } });

async function problemOf(work: Promise<unknown>): Promise<{ code: string; params: string[] }> {
  const error = await work.then(
    () => undefined,
    (thrown) => thrown,
  );
  if (!(error instanceof Problem)) throw new Error(`not refused: ${error}`);
  return { code: error.code, params: error.errors.map(({ param }) => param) };
}
const ofBody = (raw: string) => problemOf(readInput(post(raw), new URLSearchParams(), {}, { body: Body }));
const ofQuery = (query: string) =>
  problemOf(readInput(new Request("http://oja.example/"), new URLSearchParams(query), {}, { query: Query }));

/** Characters that no text of a request may contain. */
const unstorable = fc.constantFrom("\u0000", "\u0007", "\u001b", "\u007f", "\u0085", "\u009f", "\ud800", "\udfff");

test("a string of a body that cannot be stored is refused by name, at any depth and under any schema", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), unstorable, fc.string(), async (before, bad, after) => {
      const text = `${before.replace(/\p{Cs}/gu, "")}${bad}${after.replace(/\p{Cs}/gu, "")}`;
      for (const [body, param] of [
        [{ name: text }, "name"],
        [{ name: "a", email: text }, "email"],
        [{ name: "a", tags: { colour: text } }, "tags.colour"],
      ] as const) {
        expect(await ofBody(JSON.stringify(body))).toEqual({ code: "VALIDATION_ERROR", params: [param] });
      }
    }),
  );
});

test("a field name that cannot be stored is refused by name", async () => {
  expect(await ofBody('{"name":"a","tags":{"b\\u0000c":"d"}}')).toEqual({ code: "VALIDATION_ERROR", params: ["tags.b\ufffdc"] });
});

test("a string that cannot be stored is refused by name in a query, and not found in a path", async () => {
  expect(await ofQuery("status=%00")).toEqual({ code: "VALIDATION_ERROR", params: ["status"] });
  const work = readInput(new Request("http://oja.example/"), new URLSearchParams(), { id: "a\u0000" }, { params: Params });
  expect(await problemOf(work)).toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});

test("tabs, line breaks and any other text are read unchanged", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "grapheme" }), async (text) => {
      const name = `${text.replace(/\p{Cc}/gu, "")}\t\r\n😀`;
      const { body } = await readInput(post(JSON.stringify({ name })), new URLSearchParams(), {}, { body: Body });
      expect(body).toEqual({ name });
    }),
  );
});

test.each([
  ["at the top level", '{"name":"a","name":"b"}', ["name"]],
  ["written with an escape", '{"name":"a","n\\u0061me":"b"}', ["name"]],
  ["in a nested object", '{"name":"a","tags":{"x":"1","y":"2","x":"3"}}', ["tags.x"]],
  ["several names", '{"name":"a","tags":{},"tags":{"x":"1","x":"1"},"name":"b"}', ["tags.x", "tags", "name"]],
])("a name that a body has twice is refused by name: %s", async (_where, raw, params) => {
  const found = await ofBody(raw);
  expect({ ...found, params: found.params.toSorted() }).toEqual({ code: "VALIDATION_ERROR", params: params.toSorted() });
});

test("a name that two objects of a body have once each is accepted", async () => {
  const raw = '{"name":"a","tags":{"name":"b"}}';
  const { body } = await readInput(post(raw), new URLSearchParams(), {}, { body: Body });
  expect(body).toEqual({ name: "a", tags: { name: "b" } });
});

test("a query parameter sent twice is refused by name if the endpoint declares it, and ignored if not", async () => {
  expect(await ofQuery("status=a&limit=1&status=a")).toEqual({ code: "VALIDATION_ERROR", params: ["status"] });
  const { query } = await readInput(new Request("http://oja.example/"), new URLSearchParams("utm=a&utm=%00&limit=1"), {}, { query: Query });
  expect(query).toEqual({ limit: 1 });
});

test("a deeply nested body is refused before JSON.parse reads it", async () => {
  for (const [open, close] of [
    ["[", "]"],
    ['{"a":', "}"],
  ] as const) {
    expect(await ofBody(`${open.repeat(9)}1${close.repeat(9)}`)).toMatchObject({ code: "MALFORMED_JSON" });
    expect(await ofBody(open.repeat(65_000 / open.length))).toMatchObject({ code: "MALFORMED_JSON" });
  }
});

test("a body of thousands of small values, or with a long name, is refused before JSON.parse reads it", async () => {
  const many = Array.from({ length: 9_000 }, (_, i) => i);
  for (const raw of [
    JSON.stringify({ name: many }),
    JSON.stringify({ name: "a", ...Object.fromEntries(many.slice(0, 5_000).map((i) => [`f${i}`, 1])) }),
    `{"name":"a",${many.map(() => '"a":1').join(",")}}`,
    JSON.stringify({ ["n".repeat(101)]: 1 }),
    JSON.stringify({ ["n".repeat(30_000)]: Array(490).fill("\u0001") }),
  ]) {
    expect(await ofBody(raw)).toMatchObject({ code: "PAYLOAD_TOO_LARGE" });
  }
});

test("a body with hundreds of bad fields is answered with the first hundred", async () => {
  const body = Object.fromEntries(Array.from({ length: 400 }, (_, i) => [`f${i}`, 1]));
  expect((await ofBody(JSON.stringify({ name: "a", ...body }))).params).toHaveLength(100);
});

test("every JSON body within the limits is read as JSON.parse reads it", async () => {
  const Anything = z.any();
  // Left out are long numbers, the name __proto__ and control characters, because `readInput` treats them otherwise than JSON.parse.
  const json = fc
    .jsonValue({ maxDepth: 4, stringUnit: "grapheme" })
    .map((value) => JSON.parse(JSON.stringify(value, (_key, inner) => (typeof inner === "number" ? Math.trunc(inner % 1_000) : inner))))
    .filter((value) => !/__proto__|\\u|[\u007f-\u009f]/.test(JSON.stringify(value)));
  await fc.assert(
    fc.asyncProperty(json, fc.constantFrom(0, 2), async (value, indent) => {
      fc.pre((JSON.stringify(value).match(/[,:[{]/g) ?? []).length < 400);
      const raw = JSON.stringify(value, null, indent);
      const { body } = await readInput(post(raw), new URLSearchParams(), {}, { body: Anything });
      expect(body).toEqual(JSON.parse(raw));
    }),
  );
});
