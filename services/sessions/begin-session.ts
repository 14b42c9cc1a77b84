import { sql } from "drizzle-orm";
import type { Tx } from "#db/client.ts";
import { sessions } from "#db/schema/sessions.ts";
import { newId } from "#lib/ids.ts";
import type { Context } from "../context.ts";
import { MAX_AGE_MS } from "./limits.ts";
import { type Session, sessionFromRow } from "./session.ts";
import { tokenOf } from "./token.ts";

interface Begun {
  session: Session;
  /** The text of the session's cookie. It is not stored. */
  token: string;
}

/** Signs a user in with one browser, for at most 14 days. The caller has proved who the user is. */
export async function beginSession(tx: Tx, { address }: Context, userId: string, userAgent: string | null): Promise<Begun> {
  const expiresAt = sql`now() + ${MAX_AGE_MS} * interval '1 ms'`;
  const [row] = await tx
    .insert(sessions)
    .values({ id: newId("session"), userId, address, userAgent: userAgent?.slice(0, MAX_USER_AGENT) ?? null, expiresAt })
    .returning();
  if (!row) throw new Error(`no session was stored for ${userId}`);
  return { session: sessionFromRow(row), token: await tokenOf(row.id) };
}

const MAX_USER_AGENT = 300;
