import type { z } from "zod";
import type { SessionObject } from "./contract.ts";
import type { Session } from "./session.ts";

/** Returns the dashboard's object of a session. `ownId` is the id of the session that asks. */
export const presentSession = (session: Session, ownId: string | undefined): z.output<typeof SessionObject> => ({
  id: session.id,
  is_this: session.id === ownId,
  address: session.address,
  user_agent: session.userAgent,
  created_at: session.createdAt.toISOString(),
  last_seen_at: session.lastSeenAt.toISOString(),
});
