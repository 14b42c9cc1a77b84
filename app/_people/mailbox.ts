import { headers } from "next/headers";
import { cookieIn } from "#lib/cookies.ts";
import { settings } from "#lib/env.ts";
import { hasMailbox, isLocalUrl, isMailboxKey } from "#lib/mailbox.ts";
import { DIRECT_HEADER } from "#lib/page-headers.ts";
import { PEER_HEADER } from "#lib/peer.ts";
import { isLoopback } from "#lib/public-address.ts";

/**
 * Returns the path of the page that shows the mails, or undefined if this request may not see it. Its reader can take over accounts, so it
 * exists only on a developer's machine: with the built-in database, a local address and no mail server, for a browser on the same machine
 * that names the local host itself (a page of another site may resolve its name to this machine) and has brought the key that the start prints.
 */
export async function openMailbox(): Promise<string | undefined> {
  if (!hasMailbox(settings())) return undefined;
  const given = await headers();
  if (!given.has(DIRECT_HEADER) || !isLoopback(given.get(PEER_HEADER) ?? "")) return undefined;
  if (!isMailboxKey(settings(), cookieIn(given.get("cookie") ?? "", "mailbox") ?? "")) return undefined;
  const host = `http://${given.get("host") ?? "unknown"}`;
  return URL.canParse(host) && isLocalUrl(host) ? "/mailbox" : undefined;
}

/** Returns the data with which pages tell of the mailbox, or undefined where mails are really sent. */
export const mailboxView = async (): Promise<{ href: string | undefined } | undefined> =>
  hasMailbox(settings()) ? { href: await openMailbox() } : undefined;
