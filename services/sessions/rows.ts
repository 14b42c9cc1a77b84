import { and, gt, isNull, sql } from "drizzle-orm";
import { sessions } from "#db/schema/sessions.ts";
import { MAX_IDLE_MS } from "./limits.ts";

/** The condition that a session has not ended, is not too old and was used in the last hours. */
export const isOpen = () =>
  and(isNull(sessions.endedAt), gt(sessions.expiresAt, sql`now()`), gt(sessions.lastSeenAt, sql`now() - ${MAX_IDLE_MS} * interval '1 ms'`));
