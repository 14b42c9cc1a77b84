import { timingSafeEqual } from "node:crypto";
import type { Settings } from "./env.ts";
import { isLoopback } from "./public-address.ts";

/** Returns whether a URL leads to this machine by a local name or address. */
export function isLocalUrl(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname.endsWith(".localhost") || isLoopback(hostname.replace(/^\[(.*)\]$/, "$1"));
}

/** Returns whether the settings are those of an installation on one's own machine, which shows its mails on a page instead of sending them. */
export const hasMailbox = ({ OJA_MAILBOX_KEY, BASE_URL, DASHBOARD_URL, SMTP_URL }: Settings): boolean =>
  OJA_MAILBOX_KEY !== undefined && !SMTP_URL && isLocalUrl(BASE_URL) && isLocalUrl(DASHBOARD_URL);

/** Returns whether a text is the key that the start has printed. A proxy may forward strangers without saying so, and they do not have it. */
export function isMailboxKey(settings: Settings, text: string): boolean {
  if (!hasMailbox(settings)) return false;
  const [given, key] = [text, settings.OJA_MAILBOX_KEY ?? ""].map((each) => Buffer.from(each));
  return given !== undefined && key !== undefined && given.length === key.length && timingSafeEqual(given, key);
}
