import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { beginPasskeyRegistration, PasskeyOptionsObject, RepeatedPassword } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "beginPasskeyRegistration",
    summary: "Begin to add a passkey, after repeating the password",
    permission: "self",
    allowedWhileSuspended: true,
    body: RepeatedPassword,
    returns: { 200: dataOf(PasskeyOptionsObject) },
    // A challenge is not kept in the clear, so a replay asks for the password again and makes another.
    replay: {
      newResourceId: () => "beginPasskeyRegistration",
      refusalsAreFinal: true,
      secretFields: ["password"],
      present: async (ctx, _id, { body }) => ({ data: await beginPasskeyRegistration(ctx, body) }),
    },
  },
  async (ctx, { body }) => ok({ data: await beginPasskeyRegistration(ctx, body) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
