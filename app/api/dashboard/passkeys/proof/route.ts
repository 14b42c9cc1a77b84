import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { beginPasskeyProof, PasskeyProofOptionsObject, PasskeyProofPurpose } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "beginPasskeyProof",
    summary: "Begin to prove again by a passkey who one is, for one purpose",
    permission: beginPasskeyProof.needs.permission,
    allowedWhileSuspended: true,
    body: PasskeyProofPurpose,
    returns: { 200: dataOf(PasskeyProofOptionsObject) },
    // A challenge is not kept in the clear, so a replay makes another.
    replay: {
      newResourceId: () => "beginPasskeyProof",
      afterLostAnswer: "repeats",
      present: async (ctx, _id, { body }) => ({ data: await beginPasskeyProof(ctx, body.purpose) }),
    },
  },
  async (ctx, { body }) => ok({ data: await beginPasskeyProof(ctx, body.purpose) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
