import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { clearCookie, setCookie } from "#lib/cookies.ts";
import { NewPasswordForm, resetPassword } from "#services/users/index.ts";

const page = ({ token = "" }: { token?: string }) => `/reset?token=${encodeURIComponent(token)}`;

export const POST = formRoute({ name: "new-password", fields: NewPasswordForm, kept: [], page }, async ({ ctx }, { token, password }) => {
  const result = await resetPassword(ctx, token, password);
  if (result.status === "changed") {
    const text = "Your password is changed, and every browser is signed out. Sign in with the new password.";
    const cookies = [clearCookie("session"), clearCookie("ticket"), setCookie("device", result.device)];
    if (result.removalToken !== null) return { to: `/reset/second-step?token=${encodeURIComponent(result.removalToken)}`, cookies };
    return { to: "/sign-in", cookies, state: { form: "sign-in", notice: { kind: "success", text } } };
  }
  const text = "This link does not work any more: it was used, or it is older than 30 minutes. Ask for a new one.";
  return { to: "/reset", state: { form: "reset", notice: { kind: "warning", text } } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
