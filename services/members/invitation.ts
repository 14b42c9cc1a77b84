import { randomBytes } from "node:crypto";
import type { invitations } from "#db/schema/tenants.ts";
import { keyedHash } from "#lib/secrets.ts";
import { type Actor, actorOf } from "../context.ts";

type InvitationRow = typeof invitations.$inferSelect;

export type InvitationState = "open" | "expired" | "accepted" | "withdrawn";

/** An invitation of somebody to a business. */
export interface Invitation extends Pick<InvitationRow, "id" | "email" | "role" | "sends" | "sentAt" | "expiresAt"> {
  state: InvitationState;
  madeBy: Actor;
}

export function invitationFromRow({ id, email, role, sends, sentAt, expiresAt, madeBy, ...row }: InvitationRow): Invitation {
  return { id, email, role, sends, sentAt, expiresAt, madeBy: actorOf(madeBy), state: stateOf({ ...row, expiresAt }) };
}

function stateOf({ acceptedAt, withdrawnAt, expiresAt }: Pick<InvitationRow, "acceptedAt" | "withdrawnAt" | "expiresAt">): InvitationState {
  if (acceptedAt) return "accepted";
  if (withdrawnAt) return "withdrawn";
  return expiresAt.getTime() <= Date.now() ? "expired" : "open";
}

const TOKEN_BYTES = 32;

/** Returns a new token for the link in a mail: 256 random bits. Only its keyed hash is stored. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

export const hashOfToken = (token: string): string => keyedHash("invitation-token", token);
