import { refuseOtherThan } from "#app/_http/refusals.ts";
import { formRoute } from "#app/_people/form-route.ts";
import { NameRefundAccountForm, nameRefundAccount } from "#services/checkout/index.ts";

const page = ({ token = "" }: { token?: string }) => `/refund-account?token=${encodeURIComponent(token)}`;

/** Asks the account's bank for its name, and leads to the page that shows it. The account is sealed in the address of that page. */
export const POST = formRoute(
  { name: "refund-account", fields: NameRefundAccountForm, kept: ["bank_code", "account_number"], page },
  async ({ ctx }, { token, bank_code: bankCode, account_number: accountNumber }) => {
    const sealed = await nameRefundAccount(ctx, token, { bankCode, accountNumber });
    return { to: `${page({ token })}&account=${encodeURIComponent(sealed)}` };
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
