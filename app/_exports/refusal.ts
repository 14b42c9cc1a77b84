import { problemResponse } from "#app/_http/problems.ts";
import { htmlResponse } from "#app/html-response.ts";
import { escapeHtml } from "#lib/escape-html.ts";
import { ERROR_STATUS, type Problem } from "#lib/problem.ts";

interface Refused {
  requestId: string;
  headers: Record<string, string>;
}

/** Returns the answer to a refused download: a page for a browser that followed a link, otherwise the API's error answer. */
export function refusal({ headers: asked }: Request, { requestId, headers }: Refused, problem: Problem): Response {
  if (!asked.get("accept")?.includes("text/html")) return problemResponse(problem, requestId, headers);
  const status = ERROR_STATUS[problem.code];
  const advice = status === 401 ? '<p><a href="/sign-in">Sign in</a></p>' : "<p>Your browser leads back to the page before this one.</p>";
  const content = `<p>${escapeHtml(problem.message)}</p>${advice}<p>If you write to support, quote ${requestId}.</p>`;
  const response = htmlResponse("The download did not begin", content, status);
  for (const [name, value] of Object.entries({ ...headers, ...problem.headers })) response.headers.set(name, value);
  return response;
}
