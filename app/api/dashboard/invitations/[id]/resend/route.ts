import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import {
  getInvitation,
  InvitationObject,
  InvitationParams,
  presentInvitation,
  ResendInvitation,
  resendInvitation,
} from "#services/members/index.ts";
import { prove, SECRET_FIELDS } from "../../../prove.ts";

export const POST = dashboardRoute(
  {
    name: "resendInvitation",
    summary: "Mail an invitation again, with a new link",
    permission: resendInvitation.needs.permission,
    params: InvitationParams,
    body: ResendInvitation,
    returns: { 200: dataOf(InvitationObject) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "resendInvitation",
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS,
      present: async (ctx, _id, { params }) => ({ data: presentInvitation(await getInvitation(ctx, params.id)) }),
    },
  },
  async (ctx, { params, body: proof }) =>
    ok({ data: presentInvitation(await resendInvitation(await prove(ctx, resendInvitation, proof), params.id)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
