import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { newId } from "#lib/ids.ts";
import { getInvitation, InvitationObject, InviteMember, inviteMember, presentInvitation } from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../prove.ts";

export const POST = dashboardRoute(
  {
    name: "inviteMember",
    summary: "Invite somebody to the team by mail",
    permission: inviteMember.needs.permission,
    body: InviteMember,
    returns: { 201: dataOf(InvitationObject) },
    replay: {
      newResourceId: () => newId("invitation"),
      afterLostAnswer: "finds",
      secretFields: SECRET_FIELDS,
      present: async (ctx, id) => ({ data: presentInvitation(await getInvitation(ctx, id)) }),
    },
  },
  async (ctx, { body: { email, role, ...proof } }) => {
    const proven = await prove(ctx, inviteMember, proof);
    return created({ data: presentInvitation(await inviteMember(proven, { email, role })) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
