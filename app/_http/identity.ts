import type { Actor, Merchant, Role } from "#services/context.ts";
import type { MemberPermission } from "#services/members/index.ts";
import type { RequestLimit } from "./rate-limit.ts";

/** The caller, its merchant, and what it may do. */
export interface Identity {
  actor: Actor;
  merchant: Merchant;
  /** The role of a member. Absent for a key. */
  role?: Role;
  /** The session of a member. */
  sessionId?: string;
  /** The permissions of a key. Absent for a member. */
  permissions?: readonly string[];
  may: (permission: MemberPermission) => boolean;
  /** Says to a caller without a permission who or what has it. */
  adviceWithout: (permission: MemberPermission) => string;
  /** The limit of a key's merchant. Absent for a member, whose session was counted already. */
  limit?: RequestLimit;
}

/** The callers that an endpoint takes: pairs of keys, sessions of members, or both. */
export type Callers = "keys" | "sessions" | "both";
