import { htmlResponse } from "#app/html-response.ts";
import { publicRoute } from "#app/public-route.ts";
import { ERROR_HELP, ERROR_STATUS, type ErrorCode } from "#lib/problem.ts";

/** The page that the `doc_url` of every error leads to. */
export const GET = publicRoute(() => {
  const codes = Object.keys(ERROR_STATUS) as ErrorCode[];
  const entries = codes.map((code) => `<h2 id="${code}"><code>${ERROR_STATUS[code]} ${code}</code></h2><p>${ERROR_HELP[code]}</p>`);
  return htmlResponse("Errors of the API", entries.join(""));
});
