import { ROLE_WORDS } from "#components/team/role-words.ts";
import type { InvitationToJoin } from "#services/members/index.ts";

/** Returns what a page shows of an invitation. `fields` name it for the form that accepts it. */
export const toInvitationView = ({ businessName, email, role }: InvitationToJoin, fields: Record<string, string>) => ({
  ...{ business: businessName, email, fields },
  role: ROLE_WORDS[role].label,
  roleSays: ROLE_WORDS[role].says,
});
