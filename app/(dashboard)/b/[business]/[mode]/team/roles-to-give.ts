import type { MemberContext, Role } from "#services/context.ts";
import { ROLES } from "#services/members/index.ts";

/** Returns the roles that the reader may give and take: their own and those below. */
export const rolesToGive = ({ role }: MemberContext): Role[] => ROLES.slice(ROLES.indexOf(role));
