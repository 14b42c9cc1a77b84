import type { users } from "#db/schema/tenants.ts";

export type UserRow = typeof users.$inferSelect;

/** A person who can sign in. */
export interface User {
  id: string;
  name: string;
  email: string;
}

export const userFromRow = ({ id, name, email }: UserRow): User => ({ id, name, email });
