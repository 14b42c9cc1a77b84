import type { sessions } from "#db/schema/sessions.ts";

export type SessionRow = typeof sessions.$inferSelect;

/** A person who is signed in with one browser. */
export interface Session {
  id: string;
  userId: string;
  address: string | null;
  userAgent: string | null;
  createdAt: Date;
  lastSeenAt: Date;
  /** The business whose pages the browser opened last. */
  lastBusinessId: string | null;
}

export const sessionFromRow = ({ id, userId, address, userAgent, createdAt, lastSeenAt, lastBusinessId }: SessionRow): Session => ({
  ...{ id, userId, address, userAgent, createdAt, lastSeenAt, lastBusinessId },
});
