import { settings } from "./env.ts";

/** Paths of the pages for people who sign in, and of their forms. */
const OF_PEOPLE =
  /^\/(?:sign-in|sign-up|sign-out|verify|reset|not-me|not-our-account|refund-account|remove-second-step|no-business|businesses|invitations|test|live|b|ui|mailbox|api\/dashboard)(?:\/|$)/;
/** Paths that both hosts serve. Whether `/api/v1` takes keys or sessions depends on the host. */
const OF_BOTH = /^\/(?:api\/v1|health|_next)(?:\/|$)|^\/[^/]*\.[^/]*$|^\/\.well-known\//;

/** Returns whether a path is a page for people who sign in, or one of their forms or endpoints. */
export const isOfPeople = (path: string): boolean => OF_PEOPLE.test(path);

/**
 * Returns whether the path of a URL is another spelling of a path of people: in capitals, or with an encoded slash. Next takes some of them
 * for the page.
 */
export function isMisspelt(encoded: string): boolean {
  const path = decodeURIComponent(encoded);
  return isOfPeople(path.toLowerCase()) && (!isOfPeople(path) || /%2f|%5c/i.test(encoded));
}

const hostOf = (url: string) => new URL(url).host;

/** Returns whether the dashboard has a host of its own. */
const isSplit = (): boolean => hostOf(settings().DASHBOARD_URL) !== hostOf(settings().BASE_URL);

/** Returns whether a host is the dashboard's. With one host for all, it is. */
export const isDashboardHost = (host: string | null | undefined): boolean =>
  !isSplit() || host?.toLowerCase() === hostOf(settings().DASHBOARD_URL);

/** Returns whether a host serves merchants' servers and payers. With one host for all, it does. */
export const isPublicHost = (host: string | null | undefined): boolean => !isSplit() || !isDashboardHost(host);

/** Returns whether a host serves a path: pages for people only at the dashboard's host; payers, providers and sandbox only elsewhere. */
export function isServedAt(host: string | undefined, path: string): boolean {
  if (!isSplit() || OF_BOTH.test(path)) return true;
  return path === "/" || isOfPeople(path) === isDashboardHost(host);
}
