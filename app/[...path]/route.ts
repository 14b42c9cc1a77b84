import { unknownPath } from "#app/_http/refusals.ts";

/** Answers every path that no other route has, so that Next's own page for them, with headers of its own, is never shown. */
const refuse = (request: Request) => unknownPath(request.headers.get("accept") ?? "");

export { refuse as DELETE, refuse as GET, refuse as PATCH, refuse as POST, refuse as PUT };
