import { randomBytes } from "node:crypto";
import type { invitations } from "#db/schema/tenants.ts";
import { keyedHash } from "#lib/secrets.ts";
import { type Actor, actorOf, type Role } from "../context.ts";
import { mayGiveRole } from "./team.ts";

type InvitationRow = typeof invitations.$inferSelect;

/** `lapsed`: the member who sent it has left, or may not give its role any more. It is open again if another member resends it. */
export type InvitationState = "open" | "expired" | "lapsed" | "accepted" | "withdrawn" | "declined";

/** An invitation of a person to a business. */
export interface Invitation extends Pick<InvitationRow, "id" | "email" | "role" | "sends" | "sentAt" | "expiresAt"> {
  state: InvitationState;
  madeBy: Actor;
}

/** Returns the invitation of a row. `roles` are those of the members of its business at this moment, at least that of the member who sent it. */
export function invitationFromRow(row: InvitationRow, roles: ReadonlyMap<string, Role>): Invitation {
  const { id, email, role, sends, sentAt, expiresAt } = row;
  return { id, email, role, sends, sentAt, expiresAt, madeBy: actorOf(row.madeBy), state: stateOf(row, roles) };
}

function stateOf(row: InvitationRow, roles: ReadonlyMap<string, Role>): InvitationState {
  if (row.acceptedAt) return "accepted";
  if (row.withdrawnAt) return "withdrawn";
  if (row.declinedAt) return "declined";
  if (row.expiresAt.getTime() <= Date.now()) return "expired";
  return mayStillInvite(roles, row) ? "open" : "lapsed";
}

/** Returns whether the member who sent an invitation may still give its role. What a member sent before losing a role must not bring it back. */
function mayStillInvite(roles: ReadonlyMap<string, Role>, { madeBy, role }: InvitationRow): boolean {
  const sender = actorOf(madeBy);
  if (sender.type !== "member") return true;
  const roleOfSender = roles.get(sender.id);
  return roleOfSender !== undefined && mayGiveRole(roleOfSender, role);
}

const TOKEN_BYTES = 32;

/** Returns a new token for the link in a mail: 256 random bits. Only its keyed hash is stored. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

export const hashOfToken = (token: string): string => keyedHash("invitation-token", token);
