import type { Tx } from "#db/client.ts";
import type { Context } from "../../context.ts";
import { type Factor, factorsOf } from "../factors/factors.ts";
import type { UserRow } from "../user.ts";
import { type Browser, completeSignIn, type Entered, noteSignIn } from "./complete-sign-in.ts";
import { issueTicket } from "./tickets.ts";

/** The password was right, and one of the factors is due with the ticket (`signInWithCode`, `finishPasskeySignIn`). */
export interface SecondFactorDue {
  status: "second_factor";
  ticket: string;
  factors: Factor[];
}

/**
 * Begins a session for a user whose password was right, or issues a ticket for the second factor. The caller has locked the user, and has seen
 * under the lock that the password is still the same.
 */
export async function afterPassword(tx: Tx, ctx: Context, user: UserRow, browser: Browser): Promise<Entered | SecondFactorDue> {
  const factors = await factorsOf(tx, user.id);
  if (factors.length === 0) return completeSignIn(tx, ctx, user, browser, "password");
  noteSignIn(ctx, user, "the password was right, a second factor is due");
  return { status: "second_factor", ticket: await issueTicket(tx, user.id), factors };
}
