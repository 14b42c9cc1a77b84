import type { z } from "zod";
import { type FieldProblem, invalidFields, notFound } from "#lib/problem.ts";
import { storable } from "#lib/storable-text.ts";
import { withoutAbsent } from "./absent.ts";
import { readFileBody, readJson, readText } from "./body.ts";
import { type Declaration, type Input, NoBody } from "./declaration.ts";
import { MERCHANT_PARAMETER } from "./identify-member.ts";
import { fieldProblemsOf } from "./problems.ts";
import { stringProblems } from "./strings.ts";

/**
 * Reads and checks the query, path and body. Throws VALIDATION_ERROR with every bad field, RESOURCE_NOT_FOUND, and the errors of
 * `readJson`, `readText` or `readFileBody`. Tells `note` the names of the body's fields before it checks them.
 */
export async function readInput<Body extends z.ZodType, Query extends z.ZodObject, Params extends z.ZodType>(
  request: Request,
  sentQuery: URLSearchParams,
  sentParams: unknown,
  declaration: Pick<Declaration<Body, Query, Params>, "body" | "query" | "params" | "text" | "file" | "opensByLink">,
  note: (bodyFields: string[]) => void = () => undefined,
): Promise<Input<Body, Query, Params>> {
  const query = declaration.query ? parseQuery(declaration.query, sentQuery, declaration.opensByLink) : {};
  const params = declaration.params ? parseParams(declaration.params, sentParams) : {};
  const sent = request.method === "GET" ? {} : await readSent(request, declaration);
  note(namesOf(sent));
  const schema = declaration.body ?? NoBody;
  // In a PATCH, null clears a field whose schema has null.
  const stated = request.method === "POST" ? withoutAbsent(schema, sent) : sent;
  const body = request.method === "GET" ? {} : parse(schema, stated, isFile(sent) ? [] : stringProblems(sent));
  return { body, query, params } as Input<Body, Query, Params>;
}

function readSent(
  request: Request,
  { text, file }: Pick<Declaration<z.ZodType, z.ZodObject, z.ZodType>, "text" | "file">,
): Promise<unknown> {
  if (file) return readFileBody(request, file);
  return text ? readText(request, text) : readJson(request);
}

const isFile = (sent: unknown): sent is Uint8Array => sent instanceof Uint8Array;

const namesOf = (sent: unknown) =>
  typeof sent === "object" && sent !== null && !Array.isArray(sent) && !isFile(sent) ? Object.keys(sent) : [];

/** Throws RESOURCE_NOT_FOUND for an id of the wrong form, because no resource has it. */
function parseParams(schema: z.ZodType, value: unknown): unknown {
  const parsed = schema.safeParse(value);
  if (!parsed.success || stringProblems(value).length > 0) throw notFound("resource");
  return parsed.data;
}

/**
 * Ignores parameters that the endpoint does not declare, as the contract says; for a link, refuses them. Refuses a declared parameter that is sent
 * twice.
 */
function parseQuery(schema: z.ZodObject, sent: URLSearchParams, opensByLink = false): unknown {
  const known = Object.keys(schema.shape).filter((name) => sent.has(name));
  const repeated = known.filter((name) => sent.getAll(name).length > 1);
  const problems = [
    ...repeated.map((param) => ({ param, message: "Send the parameter once." })),
    ...(opensByLink ? unknownParameters(schema, sent) : []),
  ];
  const given = Object.fromEntries(known.map((name) => [name, sent.get(name)]));
  return parse(schema, given, [...problems, ...stringProblems(given)]);
}

/** The longest part of a parameter's name that an error answer repeats. */
const MAX_NAME_CHARACTERS = 100;

/** Returns a problem for each parameter of a link that neither names the merchant nor is declared. */
function unknownParameters(schema: z.ZodObject, sent: URLSearchParams): FieldProblem[] {
  const known = [MERCHANT_PARAMETER, ...Object.keys(schema.shape)];
  const message = `Unknown parameter. Remove it, or send one of these: ${known.join(", ")}.`;
  const unknown = new Set([...sent.keys()].filter((name) => !known.includes(name)));
  return [...unknown].map((name) => ({ param: storable(name.slice(0, MAX_NAME_CHARACTERS)), message }));
}

/** Throws VALIDATION_ERROR with every bad field: those in `problems`, and those that the schema refuses. */
function parse(schema: z.ZodType, value: unknown, problems: FieldProblem[]): unknown {
  const parsed = schema.safeParse(value);
  const all = [...problems, ...(parsed.success ? [] : fieldProblemsOf(parsed.error))];
  if (all.length > 0) throw invalidFields(all);
  return parsed.data;
}
