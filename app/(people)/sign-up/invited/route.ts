import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { inWaitingTime } from "#app/_people/waiting-time.ts";
import { atLeast } from "#lib/at-least.ts";
import { InvitedForm, signUpInvited } from "#services/users/index.ts";
import { ANSWERS_AFTER_MS } from "../answers-after.ts";

const pageOf = ({ token = "" }: { token?: string }) => `/sign-up?invitation=${encodeURIComponent(token)}`;

export const POST = formRoute({ name: "sign-up", fields: InvitedForm, kept: ["name"], page: pageOf }, async ({ ctx }, fields) => {
  const result = await atLeast(ANSWERS_AFTER_MS, signUpInvited(ctx, fields));
  switch (result.status) {
    case "done":
      return { to: "/verify", state: { form: "verify", values: { email: result.email } } };
    case "ended":
      return { to: `/invitations?token=${encodeURIComponent(fields.token)}` };
    case "wait": {
      const text = `Too many accounts were made from your network. Wait ${inWaitingTime(result.waitSeconds)}, then try again.`;
      return { to: pageOf(fields), state: { form: "sign-up", notice: { kind: "danger" as const, text } } };
    }
  }
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
