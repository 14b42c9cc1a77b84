import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { beginTotp, ProofOfChange, presentTotpSecret, TotpSecretObject } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "beginTotp",
    summary:
      "Make a secret for an authenticator app: the first second step needs a code by mail, a further one a proof by one that is there",
    permission: beginTotp.needs.permission,
    allowedWhileSuspended: true,
    body: ProofOfChange,
    returns: { 200: dataOf(TotpSecretObject) },
    // A secret is shown once. A replay makes another, which takes the place of the first one while that is not confirmed.
    replay: {
      newResourceId: () => "beginTotp",
      afterLostAnswer: "repeats",
      secretFields: ["password", "code", "challenge", "response"],
      present: async (ctx, _id, { body }) => ({ data: presentTotpSecret(await beginTotp(ctx, body)) }),
    },
  },
  async (ctx, { body }) => ok({ data: presentTotpSecret(await beginTotp(ctx, body)) }),
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
