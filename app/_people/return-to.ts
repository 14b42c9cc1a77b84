import { settings } from "#lib/env.ts";

/** Pages that a person may be sent to after signing in. */
const OWN_PAGE = /^\/(?:test|live|b|invitations|businesses)(?:[/?]|$)/;
const home = () => (settings().OJA_TEST_MODE ? "/test" : "/live");

/** Returns the page to open after signing in: the given one if it is ours, otherwise home. So a link cannot lead to another site. */
export function returnTo(given: string | undefined | null): string {
  const path = given ?? "";
  return isOwnPage(path) ? path : home();
}

export const isOwnPage = (path: string): boolean =>
  /^[\x21-\x7e]{1,1000}$/.test(path) && OWN_PAGE.test(path) && !/\\|\/\/|\/\.{1,2}(?:\/|$)/.test(path.split("?")[0] ?? "");

/** Returns the address of the sign-in page that leads back to a page of ours. */
export const signInPage = (then: string): string =>
  returnTo(then) === home() ? "/sign-in" : `/sign-in?then=${encodeURIComponent(returnTo(then))}`;
