import { parseCookie } from "cookie";
import { settings } from "./env.ts";

/** `__Host-` ties the cookie to this host, to https and to the path `/`. Browsers refuse the prefix without https. */
const sessionCookieName = (): string => (settings().BASE_URL.startsWith("https://") ? "__Host-oja-session" : "oja-session");

/** Returns the text of the session cookie in a Cookie header. */
export const sessionCookieOf = (header: string): string | undefined => parseCookie(header)[sessionCookieName()];
