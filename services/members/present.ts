import type { z } from "zod";
import type { Invitation } from "./invitation.ts";
import type { InvitationObject } from "./schemas.ts";

export const presentInvitation = ({ id, email, role, state, sentAt, expiresAt }: Invitation): z.output<typeof InvitationObject> => ({
  ...{ id, email, role, state },
  sent_at: sentAt.toISOString(),
  expires_at: expiresAt.toISOString(),
});
