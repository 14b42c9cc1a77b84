import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BindSandbox, bindSandbox, SandboxBinding } from "#services/merchants/index.ts";

export const POST = dashboardRoute(
  {
    name: "bindSandbox",
    summary: "Choose the sandbox's bank, card issuer or aggregator",
    description: "For what is made from now on: cards and links at another one stay there.",
    testModeOnly: true,
    permission: bindSandbox.needs.permission,
    body: BindSandbox,
    returns: { 200: dataOf(SandboxBinding) },
    // Binding the same again is the same binding.
    replay: { newResourceId: () => "bindSandbox", afterLostAnswer: "answers", present: async (_ctx, _id, { body }) => ({ data: body }) },
  },
  async (ctx, { body }) => {
    await bindSandbox(ctx, body.kind, body.provider);
    return ok({ data: body });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
