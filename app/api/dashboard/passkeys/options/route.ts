import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { beginPasskeyRegistration, PasskeyOptionsObject, ProofOfChange } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "beginPasskeyRegistration",
    summary: "Begin to add a passkey: the first second step needs a code by mail, a further one a proof by one that is there",
    permission: beginPasskeyRegistration.needs.permission,
    allowedWhileSuspended: true,
    body: ProofOfChange,
    returns: { 200: dataOf(PasskeyOptionsObject) },
    // A challenge is not kept in the clear, so a replay makes another, and asks for the proof again.
    replay: {
      newResourceId: () => "beginPasskeyRegistration",
      afterLostAnswer: "repeats",
      secretFields: ["password", "code", "challenge", "response"],
      present: async (ctx, _id, { body }) => ({ data: await beginPasskeyRegistration(ctx, body) }),
    },
  },
  async (ctx, { body }) => ok({ data: await beginPasskeyRegistration(ctx, body) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
