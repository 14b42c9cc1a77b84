import { parseCookie } from "cookie";
import { settings } from "#lib/env.ts";

/** `__Host-` ties the cookie to this host, to https and to the path `/`. Browsers refuse the prefix without https. */
export const sessionCookieName = (): string => (settings().BASE_URL.startsWith("https://") ? "__Host-oja-session" : "oja-session");

/** Returns the session cookie of a request. */
export const sessionCookieOf = (headers: Headers): string | undefined => parseCookie(headers.get("cookie") ?? "")[sessionCookieName()];
