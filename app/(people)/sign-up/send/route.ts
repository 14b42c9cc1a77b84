import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { inWaitingTime } from "#app/_people/waiting-time.ts";
import { atLeast } from "#lib/at-least.ts";
import { SignUpForm, signUp } from "#services/users/index.ts";
import { ANSWERS_AFTER_MS } from "../answers-after.ts";

export const POST = formRoute(
  { name: "sign-up", fields: SignUpForm, kept: ["name", "business", "email"], page: () => "/sign-up" },
  async ({ ctx }, fields) => {
    const result = await atLeast(ANSWERS_AFTER_MS, signUp(ctx, fields));
    if (result.status === "done") return { to: "/verify", state: { form: "verify", values: { email: fields.email } } };
    const text = `Too many accounts were made from your network. Wait ${inWaitingTime(result.waitSeconds)}, then try again.`;
    return { to: "/sign-up", state: { form: "sign-up", notice: { kind: "danger" as const, text } } };
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
