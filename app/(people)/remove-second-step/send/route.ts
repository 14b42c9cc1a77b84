import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { LinkForm, removeFactors } from "#services/users/index.ts";

const page = ({ token = "" }: { token?: string }) => `/remove-second-step?token=${encodeURIComponent(token)}`;

const REMOVED = "The second step is removed. Sign in with your password, and set another one up.";
const ENDED =
  "This link does not work any more: it was used, it is older than 7 days, or a sign-in with the second step ended the request.";

export const POST = formRoute({ name: "remove-second-step", fields: LinkForm, kept: [], page }, async ({ ctx }, { token }) => {
  const { status } = await removeFactors(ctx, token);
  const notice = status === "removed" ? { kind: "success" as const, text: REMOVED } : { kind: "warning" as const, text: ENDED };
  return { to: "/sign-in", state: { form: "sign-in", notice } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
