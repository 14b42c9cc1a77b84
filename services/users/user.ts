import type { users } from "#db/schema/tenants.ts";
import { asciiEmail } from "#lib/ascii-email.ts";

export type UserRow = typeof users.$inferSelect;

/** A person who can sign in. */
export interface User {
  id: string;
  name: string;
  email: string;
  /** Whether a link that was sent to the email has been opened and confirmed. */
  isVerified: boolean;
}

export const userFromRow = ({ id, name, email, emailVerifiedAt }: UserRow): User => ({
  id,
  name,
  email,
  isVerified: emailVerifiedAt !== null,
});

/** Returns an email as it is stored and compared. */
export const normalEmail = (email: string): string => asciiEmail(email.trim()).toLowerCase();
