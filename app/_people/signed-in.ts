import { clearCookie, setCookie } from "#lib/cookies.ts";
import type { Next } from "./form-route.ts";
import { returnTo } from "./return-to.ts";

/** Returns the cookies of a person who has just signed in, and the page to open. */
export const signedIn = ({ token, device }: { token: string; device: string }, then: string | undefined): Next => ({
  to: returnTo(then),
  cookies: [setCookie("session", token), setCookie("device", device), clearCookie("ticket")],
});
