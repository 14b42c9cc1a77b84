import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { GiveRefundAccountForm, giveRefundAccount } from "#services/checkout/index.ts";

const page = ({ token = "" }: { token?: string }) => `/refund-account?token=${encodeURIComponent(token)}`;

/** Takes the account. Its page then says what became of the refund. */
export const POST = formRoute(
  { name: "refund-account", fields: GiveRefundAccountForm, kept: [], page },
  async ({ ctx }, { token, account }) => {
    await giveRefundAccount(ctx, token, account);
    return { to: page({ token }) };
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
