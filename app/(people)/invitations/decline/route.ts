import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { sessionIn } from "#app/_people/session-in.ts";
import { declineInvitation } from "#services/members/index.ts";
import { InvitationFields, invitationPage, namedBy } from "../named.ts";

const form = { name: "invitation", fields: InvitationFields, kept: [], page: invitationPage };

/** A person without an account declines too, by the link of the mail. */
export const POST = formRoute(form, async ({ ctx, cookies }, fields) => {
  const session = await sessionIn(cookies);
  const declined = await declineInvitation({ ...ctx, userId: session?.userId }, namedBy(fields));
  const notice =
    declined === "declined"
      ? { kind: "success" as const, text: "You declined the invitation." }
      : { kind: "warning" as const, text: ENDED };
  return { to: invitationPage(fields), state: { form: "invitation", notice } };
});

const ENDED = "There is nothing to decline: this invitation was used, or it has ended.";

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
