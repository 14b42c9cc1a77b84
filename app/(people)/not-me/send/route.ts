import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { clearCookie } from "#lib/cookies.ts";
import { denyChange, LinkForm } from "#services/users/index.ts";

const page = ({ token = "" }: { token?: string }) => `/not-me?token=${encodeURIComponent(token)}`;

const DONE =
  "Every browser is signed out, and the old password does not work any more. A link to choose a new one is on its way to your mailbox; it works for 30 minutes.";
const FACTOR_REMOVED = " The second step is removed.";

export const POST = formRoute({ name: "not-me", fields: LinkForm, kept: [], page }, async ({ ctx }, { token }) => {
  const result = await denyChange(ctx, token);
  if (result.status === "denied") {
    const text = `${DONE}${result.removedFactors > 0 ? FACTOR_REMOVED : ""}`;
    return {
      to: "/reset",
      cookies: [clearCookie("session"), clearCookie("ticket")],
      state: { form: "reset", notice: { kind: "success", text } },
    };
  }
  const text = "This link does not work any more: it was used, or it is older than 30 days. Choose a new password.";
  return { to: "/reset", state: { form: "reset", notice: { kind: "warning", text } } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
