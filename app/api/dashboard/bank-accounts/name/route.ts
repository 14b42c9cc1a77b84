import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { LIMIT_OF_NAMES } from "#app/api/dashboard/bank-accounts/limit-of-names.ts";
import { NameBankAccount, NamedBankAccount, nameBankAccount } from "#services/payouts/index.ts";

export const POST = dashboardRoute(
  {
    name: "nameBankAccount",
    summary: "Ask a bank whose account a number is",
    permission: nameBankAccount.needs.permission,
    limit: LIMIT_OF_NAMES,
    body: NameBankAccount,
    returns: { 200: dataOf(NamedBankAccount) },
    errors: ["PROVIDER_UNAVAILABLE", "PROVIDER_ERROR"],
    replay: {
      newResourceId: () => "nameBankAccount",
      afterLostAnswer: "repeats",
      present: async (ctx, _id, { body }) => presentNamed(await nameBankAccount(ctx, accountIn(body))),
    },
  },
  async (ctx, { body }) => ok(presentNamed(await nameBankAccount(ctx, accountIn(body)))),
);

const accountIn = ({ bank_code: bankCode, account_number: accountNumber }: { bank_code: string; account_number: string }) => ({
  bankCode,
  accountNumber,
});

const presentNamed = ({ accountName, isBusiness }: Awaited<ReturnType<typeof nameBankAccount>>) => ({
  data: { account_name: accountName, is_business: isBusiness },
});

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
