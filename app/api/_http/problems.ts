import type { z } from "zod";
import { settings } from "#lib/env.ts";
import { ERROR_STATUS, type FieldProblem, Problem } from "#lib/problem.ts";

/** The one shape of every failure. */
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

/** Every bad field at once, each with what to do about it. */
export function validationProblem(error: z.ZodError): Problem {
  // A field is named once, however much is wrong with it.
  const byField = Map.groupBy(error.issues.flatMap(toFieldProblems), ({ param }) => param);
  const errors = [...byField].map(([param, problems]) => ({ param, message: problems.map(({ message }) => message).join(" ") }));
  const [first] = errors;
  const message = errors.length === 1 && first ? `${first.param}: ${first.message}` : `Correct ${errors.length} fields; see errors.`;
  return new Problem("VALIDATION_ERROR", message, { errors });
}

function toFieldProblems(issue: z.core.$ZodIssue): FieldProblem[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => ({ param: [...path, key].join("."), message: "Unknown field. Remove it." }));
  }
  if (path.length === 0) return [{ param: "body", message: "Send a JSON object." }];
  return [{ param: path.join("."), message: issue.message }];
}
