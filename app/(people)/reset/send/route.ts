import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { inWaitingTime } from "#app/_people/waiting-time.ts";
import { atLeast } from "#lib/at-least.ts";
import { EmailForm, requestReset } from "#services/users/index.ts";

/** Longer than queueing a mail takes, so that the time does not tell whether the email has an account. */
const ANSWERS_AFTER_MS = 400;

const SENT = "If this email has an account, a link to choose a new password is on its way. It works for 30 minutes.";

export const POST = formRoute({ name: "reset", fields: EmailForm, kept: ["email"], page: () => "/reset" }, async ({ ctx }, { email }) => {
  const result = await atLeast(ANSWERS_AFTER_MS, requestReset(ctx, email));
  const notice =
    result.status === "done"
      ? { kind: "success" as const, text: SENT }
      : {
          kind: "danger" as const,
          text: `Too many links were asked for from your network. Wait ${inWaitingTime(result.waitSeconds)}, then try again.`,
        };
  return { to: "/reset", state: { form: "reset", notice } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
