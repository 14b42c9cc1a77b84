import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BankAccountObject, listBankAccounts, presentBankAccount } from "#services/payouts/index.ts";

export const GET = merchantRoute(
  {
    name: "listBankAccounts",
    summary: "List your bank accounts",
    description: "All of them, oldest first. Owners and admins add and remove them in the dashboard; a key cannot.",
    permission: "wallet:read",
    returns: { 200: z.object({ data: z.array(BankAccountObject) }) },
  },
  async (ctx) => ok({ data: (await listBankAccounts(ctx)).map(presentBankAccount) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
