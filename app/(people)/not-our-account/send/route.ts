import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { RemovalLinkForm, removeBankAccountByLink } from "#services/payouts/index.ts";

const page = ({ token = "" }: { token?: string }) => `/not-our-account?token=${encodeURIComponent(token)}`;

/** Removes the account. Its page then says that it is removed, and so it does for a link that names none. */
export const POST = formRoute({ name: "not-our-account", fields: RemovalLinkForm, kept: [], page }, async ({ ctx }, { token }) => {
  await removeBankAccountByLink(ctx, token);
  return { to: page({ token }) };
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
