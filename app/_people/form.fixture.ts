import { cookieIn } from "#lib/cookies.ts";
import { open } from "#lib/sealed.ts";

/** Returns the cookies of an answer as a browser sends them back. */
export const cookiesOf = ({ headers }: Response): string =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ");

/** Returns what a form says on the page to which an answer leads. */
export function saidBy(answer: Response): unknown {
  const sealed = cookieIn(cookiesOf(answer), "form");
  return sealed ? JSON.parse(open("form", sealed, "form")) : undefined;
}
