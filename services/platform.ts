import type { Role } from "./context.ts";

/** The platform's own business. Its members are operators. Its merchants have the money that names no merchant, and the alerts of operators. */
export const PLATFORM_BUSINESS = "biz_platform";

/** Returns whether an operator may decide now: an owner or admin, after the wait of a new role. */
export const isDecider = ({ role, decidesFrom }: { role: Role; decidesFrom: Date | null }): boolean =>
  (role === "owner" || role === "admin") && decidesFrom !== null && decidesFrom <= new Date();
