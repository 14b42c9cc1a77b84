import { htmlResponse } from "#app/html-response.ts";
import { newId } from "#lib/ids.ts";
import { Problem } from "#lib/problem.ts";
import { problemResponse } from "./problems.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";
type Refusal = () => Response;

/**
 * Returns handlers for the methods that a path does not have. Each answers METHOD_NOT_ALLOWED with an `Allow` header, in the API's error
 * shape.
 */
export function refuseOtherThan(...allowed: Method[]): Record<Method, Refusal> {
  const refuse: Refusal = () => {
    const allow = allowed.join(", ");
    const problem = new Problem("METHOD_NOT_ALLOWED", `Use ${allow} here.`, { headers: { Allow: allow } });
    return problemResponse(problem, newId("request"));
  };
  return { GET: refuse, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
}

/** Returns RESOURCE_NOT_FOUND in the API's error shape, for a path below `/api` that is no endpoint. */
export function refuseUnknownPath(): Response {
  const problem = new Problem("RESOURCE_NOT_FOUND", "There is no such endpoint. See /api/v1/openapi.json for those that there are.");
  return problemResponse(problem, newId("request"));
}

/** Returns 404 for any other unknown path: a page where `accept` names HTML, otherwise the API's error shape. */
export function unknownPath(accept = ""): Response {
  if (!accept.includes("text/html")) return refuseUnknownPath();
  return htmlResponse(
    "There is no such page",
    '<p>Check the address.</p><div class="acts"><a class="act main" href="/">Go to the start</a></div>',
    404,
  );
}
