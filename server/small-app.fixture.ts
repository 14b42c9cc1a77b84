import { type App, withApp } from "#testing/app.ts";
import { RawConnection } from "#testing/raw-http.ts";
import { limitsFor } from "./connections.ts";

const DESCRIPTORS = 300;
/** The limits of connections of an app with so few descriptors. */
export const LIMITS = limitsFor(DESCRIPTORS);
/** The address of a proxy that the app trusts. */
export const TRUSTED = "127.0.0.3";
export const HOST = "Host: a\r\n";

/** Runs an app that may open few files, with pages. Returns it, and a function that opens a connection to it and sends a text. */
export function withSmallApp(): { app: App; open: (text: string, from?: string) => RawConnection } {
  const app = withApp({ TRUSTED_PROXIES: TRUSTED, PUBLIC_REQUESTS_PER_SECOND: "1000000" }, { descriptors: DESCRIPTORS, pages: true });
  return { app, open: (text, from) => new RawConnection(app.url, from === undefined ? {} : { from }).send(text) };
}
