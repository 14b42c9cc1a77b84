import type { Merchant, Role } from "../context.ts";
import type { Permission } from "../permissions.ts";

/** The roles of members, from the one that may do most. */
export const ROLES = ["owner", "admin", "developer", "support", "viewer"] as const satisfies readonly Role[];

type Mode = "test" | "live";
type RolesByMode = Record<Mode, readonly Role[]>;

const EVERYONE: readonly Role[] = ROLES;
const OWNERS: readonly Role[] = ["owner"];
const MANAGERS: readonly Role[] = ["owner", "admin"];
const BUILDERS: readonly Role[] = ["owner", "admin", "developer"];
const HELPERS: readonly Role[] = ["owner", "admin", "support"];
const ALL_BUT_VIEWERS: readonly Role[] = ["owner", "admin", "developer", "support"];
const NO_ROLE: readonly Role[] = [];

/** The roles that have a permission of API keys. */
const SHARED = {
  "checkout:read": { live: EVERYONE, test: EVERYONE },
  "checkout:write": { live: HELPERS, test: ALL_BUT_VIEWERS },
  "cards:read": { live: EVERYONE, test: EVERYONE },
  "cards:write": { live: MANAGERS, test: BUILDERS },
  "cards:reveal": { live: MANAGERS, test: BUILDERS },
  "vtu:read": { live: EVERYONE, test: EVERYONE },
  "vtu:write": { live: MANAGERS, test: BUILDERS },
  "wallet:read": { live: EVERYONE, test: EVERYONE },
  "payouts:write": { live: MANAGERS, test: BUILDERS },
  "refunds:write": { live: MANAGERS, test: BUILDERS },
  "events:read": { live: BUILDERS, test: BUILDERS },
  "webhooks:read": { live: BUILDERS, test: BUILDERS },
  "webhooks:write": { live: BUILDERS, test: BUILDERS },
  "test:write": { live: NO_ROLE, test: ALL_BUT_VIEWERS },
} satisfies Record<Permission, RolesByMode>;

/** The roles that have a permission which only people can have. */
const OF_PEOPLE = {
  /** See and change one's own: sessions, password, second factor. */
  self: { live: EVERYONE, test: EVERYONE },
  /** See the pages that all roles have: search, home and transactions, each limited to the areas that the role may see. */
  browse: { live: EVERYONE, test: EVERYONE },
  /** See the tokens and pins of purchases. */
  "vtu:tokens": { live: HELPERS, test: ALL_BUT_VIEWERS },
  /** Read the log of API requests. */
  "requests:read": { live: BUILDERS, test: BUILDERS },
  /** Make, change, roll and revoke API keys. */
  "keys:write": { live: MANAGERS, test: BUILDERS },
  "audit:read": { live: MANAGERS, test: BUILDERS },
  /** Add and remove the bank accounts that money is paid out to. */
  "bank_accounts:write": { live: MANAGERS, test: BUILDERS },
  /** Agree to a refund to an account with another name than the payer's. */
  "refunds:confirm": { live: OWNERS, test: OWNERS },
  /** Change the business, its brand and its security. */
  "settings:write": { live: MANAGERS, test: MANAGERS },
  /** Invite and remove members, and change their roles. */
  "team:write": { live: MANAGERS, test: MANAGERS },
} satisfies Record<string, RolesByMode>;

/** Screens and verbs both read this table. */
const ROLES_WITH = { ...SHARED, ...OF_PEOPLE };

/** A permission of a member: one that API keys have too, or one that only people have. */
export type MemberPermission = keyof typeof ROLES_WITH;

/** The permissions to change what a business has once for both modes. */
const OF_WHOLE_BUSINESS: ReadonlySet<MemberPermission> = new Set(["settings:write", "team:write"]);

/**
 * Returns whether a suspension forbids a change that needs a permission. A suspension of one mode also blocks changes of things common to both
 * modes: test mode must not rename a business, nor hand it over, while its live mode is suspended. Endpoints and screens both ask here.
 */
export const isClosedBySuspension = (
  { status, isOtherModeSuspended }: Pick<Merchant, "status" | "isOtherModeSuspended">,
  permission: MemberPermission,
): boolean => status === "suspended" || (isOtherModeSuspended && OF_WHOLE_BUSINESS.has(permission));

/** Returns the roles that have a permission in a mode, for a screen that says who may. */
export const rolesWith = (permission: MemberPermission, mode: Mode): readonly Role[] => ROLES_WITH[permission][mode];

/** Returns whether a role leads the business, in both modes. */
export const leadsBusiness = (role: Role | undefined): boolean => role === "owner" || role === "admin";

export const mayRole = (role: Role, permission: MemberPermission, mode: Mode): boolean => rolesWith(permission, mode).includes(role);

/** Returns all permissions of a role in a mode. */
export const permissionsOf = (role: Role, mode: Mode): MemberPermission[] =>
  (Object.keys(ROLES_WITH) as MemberPermission[]).filter((permission) => mayRole(role, permission, mode));
