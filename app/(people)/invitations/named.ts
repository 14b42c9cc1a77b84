import { z } from "zod";

const optional = z.string().max(100).default("");

/** The fields of a form about an invitation: the token of a link, or the business and the id of one that the page of the person lists. */
export const InvitationFields = z.object({ token: optional, business: optional, id: optional });

/** Returns the invitation that a form names. */
export const namedBy = ({ token, business: businessId, id }: z.output<typeof InvitationFields>) =>
  token === "" ? { businessId, id } : { token };

/** Returns the page of such a form. */
export const invitationPage = ({ token }: { token?: string }): string =>
  token ? `/invitations?token=${encodeURIComponent(token)}` : "/no-business";
