import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { returnTo, signInPage } from "#app/_people/return-to.ts";
import { sessionIn } from "#app/_people/session-in.ts";
import { acceptInvitation } from "#services/members/index.ts";
import { InvitationFields, invitationPage, namedBy } from "../named.ts";

const form = { name: "invitation", fields: InvitationFields, kept: [], page: invitationPage };

export const POST = formRoute(form, async ({ ctx, cookies }, fields) => {
  const session = await sessionIn(cookies);
  if (!session) return { to: signInPage(invitationPage(fields)) };
  const accepted = await acceptInvitation({ ...ctx, actor: { type: "member", id: session.userId } }, namedBy(fields));
  if (accepted.status !== "joined")
    return { to: invitationPage(fields), state: { form: "invitation", notice: { kind: "warning", text: ENDED } } };
  const [, mode] = returnTo(undefined).split("/");
  return { to: `/b/${accepted.businessId}/${mode}` };
});

const ENDED = "This invitation has ended. Ask the person who invited you to send another one.";

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
