import { z } from "zod";
import { created } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { LIMIT_OF_NAMES } from "#app/api/dashboard/bank-accounts/limit-of-names.ts";
import { prove, SECRET_FIELDS_WITH_CODE } from "#app/api/dashboard/prove.ts";
import { newId } from "#lib/ids.ts";
import { addBankAccount, BankAccountObject, getBankAccount, NEW_BANK_ACCOUNT, presentBankAccount } from "#services/payouts/index.ts";
import { PROOF_WITH_FACTOR_FIELDS } from "#services/users/index.ts";

export const POST = dashboardRoute(
  {
    name: "addBankAccount",
    summary: "Add a bank account for payouts",
    description: "In live mode it can be used after 24 hours, and every owner is told by mail.",
    permission: addBankAccount.needs.permission,
    limit: LIMIT_OF_NAMES,
    body: z.strictObject({ ...NEW_BANK_ACCOUNT, ...PROOF_WITH_FACTOR_FIELDS }),
    returns: { 201: dataOf(BankAccountObject) },
    errors: ["VERSION_CONFLICT", "PROVIDER_UNAVAILABLE", "PROVIDER_ERROR"],
    replay: {
      newResourceId: () => newId("bankAccount"),
      afterLostAnswer: "answers",
      secretFields: SECRET_FIELDS_WITH_CODE,
      present: async (ctx, id) => ({ data: presentBankAccount(await getBankAccount(ctx, id)) }),
    },
  },
  async (ctx, { body: { bank_code: bankCode, account_number: accountNumber, account_name: accountName, ...proof } }) => {
    const proven = await prove(ctx, addBankAccount, proof);
    return created({ data: presentBankAccount(await addBankAccount(proven, { bankCode, accountNumber, accountName })) });
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
