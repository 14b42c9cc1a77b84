import { parseCookie, stringifySetCookie } from "cookie";
import { settings } from "./env.ts";
import { DAY_MS, MINUTE_MS } from "./time.ts";

/**
 * Our cookies, and how long a browser keeps them. `session`: who is signed in. `device`: a browser that has signed in before. `ticket`: the
 * right password was given, and the second factor is due. `form`: what a form that was just refused says. `mailbox`: the key of the mailbox.
 */
const KEPT_FOR_MS = { session: 14 * DAY_MS, device: 400 * DAY_MS, ticket: 10 * MINUTE_MS, form: 2 * MINUTE_MS, mailbox: DAY_MS };

export type CookieKind = keyof typeof KEPT_FOR_MS;

const isSecure = () => settings().DASHBOARD_URL.startsWith("https://");
/** `__Host-` ties a cookie to this host, to https and to the path `/`. Browsers refuse the prefix without https. */
const nameOf = (kind: CookieKind) => (isSecure() ? `__Host-oja-${kind}` : `oja-${kind}`);

/** Returns the text of a cookie in a Cookie header. */
export const cookieIn = (header: string, kind: CookieKind): string | undefined => parseCookie(header)[nameOf(kind)];

/** Returns a Set-Cookie header. Scripts cannot read the cookie, and other sites cannot send it with a form. */
export const setCookie = (kind: CookieKind, value: string, keptForMs = KEPT_FOR_MS[kind]): string =>
  stringifySetCookie({
    ...{ name: nameOf(kind), value, path: "/", httpOnly: true, sameSite: "lax" },
    secure: isSecure(),
    maxAge: Math.floor(keptForMs / 1000),
  });

/** Returns a Set-Cookie header that removes a cookie. */
export const clearCookie = (kind: CookieKind): string => setCookie(kind, "", 0);
