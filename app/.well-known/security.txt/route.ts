import { publicRoute } from "#app/public-route.ts";
import { settings } from "#lib/env.ts";
import { DAY_MS } from "#lib/time.ts";

/** The file is read anew each time, so its end moves on (RFC 9116 recommends less than a year). */
const VALID_FOR_MS = 180 * DAY_MS;

/** Returns the address for reports of weaknesses (RFC 9116). Returns 404 without SECURITY_CONTACT, because an invented address would lose reports. */
export const GET = publicRoute(() => {
  const { SECURITY_CONTACT, BASE_URL } = settings();
  if (!SECURITY_CONTACT) return new Response(null, { status: 404 });
  const lines = [
    `Contact: ${SECURITY_CONTACT}`,
    `Expires: ${new Date(Date.now() + VALID_FOR_MS).toISOString()}`,
    "Preferred-Languages: en",
    `Canonical: ${BASE_URL}/.well-known/security.txt`,
  ];
  return new Response(`${lines.join("\n")}\n`, { headers: { "Content-Type": "text/plain; charset=utf-8", "Cache-Control": "no-cache" } });
});
