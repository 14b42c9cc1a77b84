import type { z } from "zod";
import { settings } from "#lib/env.ts";
import { ERROR_STATUS, type FieldProblem, type Problem } from "#lib/problem.ts";

/** Returns the API's error answer. Every failure has this shape. */
export function problemResponse(problem: Problem, requestId: string, headers: Record<string, string> = {}): Response {
  const [first] = problem.errors;
  const body = {
    success: false,
    error: {
      code: problem.code,
      message: problem.message,
      ...(problem.errors.length === 1 && first && { param: first.param }),
      ...(problem.errors.length > 0 && { errors: problem.errors }),
      request_id: requestId,
      doc_url: `${settings().BASE_URL}/docs/errors#${problem.code}`,
      outcome: problem.outcome,
    },
  };
  return Response.json(body, { status: ERROR_STATUS[problem.code], headers: { ...headers, ...problem.headers, "Request-Id": requestId } });
}

/** Returns a problem for each bad field, with a message that says how to correct it. */
export function fieldProblemsOf(error: z.ZodError): FieldProblem[] {
  return error.issues.flatMap(toFieldProblems);
}

function toFieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ param: [...path, key].join("."), message: "Unknown field. Remove it." }));
  }
  if (path.length === 0) return [{ param: "body", message: "Send a JSON object." }];
  return [{ param: path.join("."), message: inOurWords(issue) }];
}

/**
 * Returns the schema's own message. A schema without one gets zod's, which is no sentence and no advice, so this returns our own instead.
 */
function inOurWords({ message, ...issue }: z.core.$ZodIssue): string {
  if (message.endsWith(".")) return message;
  return issue.code === "invalid_type" ? `Send ${KINDS[issue.expected] ?? "another value"}.` : "Send another value.";
}

const KINDS: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
