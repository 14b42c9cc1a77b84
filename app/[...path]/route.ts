import { unknownPath } from "#app/_http/refusals.ts";

/** Serves every path that no other route has. Otherwise Next would answer with its own page and its own headers. */
const refuse = (request: Request) => unknownPath(request.headers.get("accept") ?? "");

export { refuse as DELETE, refuse as GET, refuse as PATCH, refuse as POST, refuse as PUT };
