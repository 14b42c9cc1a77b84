import type { Settings } from "./env.ts";
import { isLoopback } from "./public-address.ts";

/** Returns whether a URL leads to this machine by a local name or address. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** Returns whether the settings are those of an installation on one's own machine, which shows its mails on a page instead of sending them. */
export const hasMailbox = ({ OJA_BUILT_IN_DATABASE, BASE_URL, DASHBOARD_URL, SMTP_URL }: Settings): boolean =>
  OJA_BUILT_IN_DATABASE && !SMTP_URL && isLocalUrl(BASE_URL) && isLocalUrl(DASHBOARD_URL);
