import fc from "fast-check";

/** The parts of an OpenAPI schema that this file reads. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  items?: Schema;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  format?: string;
  example?: unknown;
}
export type Schemas = Record<string, Schema>;

/** Texts that have broken software before. */
const HOSTILE_TEXT = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.constantFrom(
    "\u0000",
    "a\u0000b",
    "\ud800",
    "\u202etxt",
    "\u007f",
    "\u0085",
    "\ufeff",
    "%00",
    "%zz",
    "../../etc/passwd",
    "'; drop table api_keys; --",
    "<script>alert(1)</script>",
    ["$", "{jndi:ldap://x}"].join(""),
    "{{7*7}}",
    "__proto__",
    "constructor",
    "toString",
    "null",
    "NaN",
    "-0",
    "1e999",
    "9".repeat(400),
    "x".repeat(5_000),
    "👩🏾‍🌾".repeat(200),
    "javascript:alert(1)",
    "http://169.254.169.254/latest",
    "https://user:pass@evil.example/#x",
    "2026-02-30T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "+010000-01-01T00:00:00Z",
  ),
);
const HOSTILE_NUMBER = fc.constantFrom(
  0,
  -0,
  -1,
  0.001,
  1.005,
  99.999,
  1e21,
  1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  1e15,
  123456789012345.67,
);
export const hostile: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: HOSTILE_TEXT },
  { weight: 2, arbitrary: HOSTILE_NUMBER },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, [], {}, [[]], { a: { b: { c: [1, "x", null] } } }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

const TEXT_OF: Record<string, fc.Arbitrary<string>> = {
  email: fc.constantFrom("a@example.com", "A+b@example.com", "x+rejected@example.com", "ada@example.com"),
  uri: fc.constantFrom("https://shop.example/thanks", "https://shop.example/?a=b#c", "http://localhost/"),
  "date-time": fc.constantFrom("2026-11-01T09:30:00Z", "1970-01-01T00:00:00.000Z", "9999-12-31T23:59:59+01:00"),
};

const oneIn = (times: number, rare: fc.Arbitrary<unknown>, usual: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 1, arbitrary: rare }, { weight: times - 1, arbitrary: usual });

/** Generates values that a schema allows. About one part in eight, at any depth, is a hostile value. */
export function valueFor(schema: Schema, schemas: Schemas, known: Record<string, fc.Arbitrary<unknown>>, name = ""): fc.Arbitrary<unknown> {
  const of = (inner: Schema, innerName = name) => valueFor(inner, schemas, known, innerName);
  if (schema.$ref) return of(schemas[schema.$ref.split("/").at(-1) ?? ""] ?? {});
  if (known[name]) return oneIn(8, hostile, known[name]);
  if (schema.enum) return oneIn(8, hostile, fc.constantFrom(...schema.enum));
  if (schema.const !== undefined) return oneIn(8, hostile, fc.constant(schema.const));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((choice) => of(choice)));
  return oneIn(8, hostile, ordinary(schema, of));
}

function ordinary(schema: Schema, of: (inner: Schema, name?: string) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const { properties = {}, required = [], items, minimum = 0, maximum = 1_000_000, maxLength = 40, format = "", example } = schema;
  switch ([schema.type].flat()[0]) {
    case "object": {
      const fields = Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, of(inner, name)]));
      const extra = typeof schema.additionalProperties === "object" ? of(schema.additionalProperties) : hostile;
      const declared = fc.record(fields, { requiredKeys: required.filter((name) => name in fields) });
      const more = fc.dictionary(fc.string({ maxLength: 20 }), extra, { maxKeys: 4, noNullPrototype: true });
      const open = typeof schema.additionalProperties === "object";
      return oneIn(
        open ? 2 : 10,
        fc.tuple(declared, more).map(([some, others]) => ({ ...some, ...others })),
        declared,
      );
    }
    case "array":
      return fc.array(of(items ?? {}), { maxLength: 5 });
    case "integer":
      return fc.integer({ min: Math.max(minimum, -1_000_000), max: Math.min(maximum, 10_000_000) });
    case "number":
      return fc.oneof(
        fc.integer({ min: Math.ceil(minimum), max: Math.min(Math.floor(maximum), 100_000) }),
        fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100),
      );
    case "boolean":
      return fc.boolean();
    case "string":
      return (
        TEXT_OF[format] ??
        fc.oneof(
          fc.string({ unit: "grapheme", maxLength: Math.min(maxLength, 60) }),
          ...(example === undefined ? [] : [fc.constant(example)]),
        )
      );
    default:
      return hostile;
  }
}

/** Generates the text of a value as JSON; one in 13 is damaged. */
export function bodyText(value: fc.Arbitrary<unknown>): fc.Arbitrary<string | Uint8Array<ArrayBuffer>> {
  const text = value.map((each) => JSON.stringify(each) ?? "");
  const broken = fc
    .tuple(text, fc.nat(), fc.constantFrom("cut", "twice", "comment", "bom", "deep", "long", "comma", "single quotes", "utf-8"))
    .map(([json, at, how]) => damage(json, at, how));
  return fc.oneof({ weight: 12, arbitrary: text }, { weight: 1, arbitrary: broken });
}

function damage(json: string, at: number, how: string): string | Uint8Array<ArrayBuffer> {
  switch (how) {
    case "cut":
      return json.slice(0, at % (json.length + 1));
    case "twice":
      return json.replace(/^\{/, '{"amount":1,"amount":2,"email":"a","email":"b",');
    case "comment":
      return `/* */ ${json} // x`;
    case "bom":
      return `\ufeff${json}`;
    case "deep":
      return `{"metadata":${"[".repeat(at % 30_000)}`;
    case "long":
      return JSON.stringify({ description: "x".repeat(at % 70_000) });
    case "comma":
      return json.replace(/\}$/, ",}");
    case "single quotes":
      return json.replaceAll('"', "'");
    default:
      return new Uint8Array([...Buffer.from(json), 0xff, 0xc0, 0x80]);
  }
}

/** Returns a value encoded for a query or a part of a path, at most 600 characters. */
export const inUrl = (value: unknown): string => {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return encodeURIComponent(text.toWellFormed()).slice(0, 600);
};
