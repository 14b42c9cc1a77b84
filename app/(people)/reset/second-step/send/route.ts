import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { askRemoval, LinkForm } from "#services/users/index.ts";

const page = ({ token = "" }: { token?: string }) => `/reset/second-step?token=${encodeURIComponent(token)}`;

const WORDS = {
  asked: "In 24 hours we mail you a link that removes the second step. A sign-in with the second step ends the request.",
  unchanged:
    "The second step stays: it is older than 30 days, or it is gone already. A recovery code, or the people who run Oja, help you in.",
  link_ended: "That took too long. Choose a new password once more, and ask again.",
};

export const POST = formRoute({ name: "second-step", fields: LinkForm, kept: [], page }, async ({ ctx }, { token }) => {
  const { status } = await askRemoval(ctx, token);
  const kind = status === "asked" ? "success" : "warning";
  return { to: "/sign-in", state: { form: "sign-in", notice: { kind, text: WORDS[status] } } };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
