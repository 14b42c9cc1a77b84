import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { dashboardRoute } from "#app/_http/dashboard-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BankAccountParams, RemovedBankAccount, removeBankAccount } from "#services/payouts/index.ts";

const removed = (id: string) => ({ data: { id, removed: true as const } });

export const POST = dashboardRoute(
  {
    name: "removeBankAccount",
    summary: "Remove a bank account",
    description: "Nothing is paid to it any more. Repeating it changes nothing.",
    permission: removeBankAccount.needs.permission,
    // Removing takes no money out, and an owner must be able to stop a thief at any time.
    allowedWhileSuspended: true,
    params: BankAccountParams,
    returns: { 200: dataOf(RemovedBankAccount) },
    errors: ["RESOURCE_NOT_FOUND"],
    replay: {
      newResourceId: () => "removeBankAccount",
      afterLostAnswer: "answers",
      present: async (_ctx, _id, { params }) => removed(params.id),
    },
  },
  async (ctx, { params }) => {
    await removeBankAccount(ctx, params.id);
    return ok(removed(params.id));
  },
);

export const { GET, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("POST");
