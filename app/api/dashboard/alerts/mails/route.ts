import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { MailChoicesObject, SetMailChoices, setMailChoices } from "#services/member-mails/index.ts";

export const PATCH = dashboardRoute(
  {
    name: "setMailChoices",
    summary: "Choose which mails about the business one gets oneself",
    description: "Mails tell of live mode alone. Mails about one's own security are always sent.",
    permission: setMailChoices.needs.permission,
    // It changes nothing of the merchant's.
    allowedWhileSuspended: true,
    body: SetMailChoices,
    returns: { 200: dataOf(MailChoicesObject) },
  },
  async (ctx, { body }) => ok({ data: await setMailChoices(ctx, body) }),
);

export const { GET, POST, PUT, DELETE, OPTIONS } = refuseOtherThan("PATCH");
