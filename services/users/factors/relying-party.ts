import { z } from "zod";
import { settings } from "#lib/env.ts";

/** Returns this service as browsers and passkeys know it: a passkey made for another host or origin does not work here. */
export function relyingParty(): { rpID: string; origin: string } {
  const { hostname, origin } = new URL(settings().DASHBOARD_URL);
  return { rpID: hostname, origin };
}

/** Returns the bytes by which a passkey names its user. They contain no personal data. */
export const handleOf = (userId: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(userId);

const ClientData = z.object({ challenge: z.string(), crossOrigin: z.literal(false).optional() });

/**
 * Returns the challenge that a browser says a passkey has signed. Returns undefined for anything that is not a browser's data, and for a page
 * of ours in a frame of another site: the library lets that pass where the browser does not name the other site.
 */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    return ClientData.safeParse(JSON.parse(Buffer.from(clientDataJSON, "base64url").toString())).data?.challenge;
  } catch {
    // A stranger may send any text.
    return undefined;
  }
}
