import { z } from "zod";
import { ok } from "#app/_http/answers.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { BankObject, listBanks } from "#services/payouts/index.ts";

export const GET = merchantRoute(
  {
    name: "listBanks",
    summary: "List banks",
    description: "All banks to which money can be paid out, by name. Their codes are those of the provider behind your account.",
    permission: "wallet:read",
    returns: { 200: z.object({ data: z.array(BankObject) }) },
    errors: ["PROVIDER_UNAVAILABLE", "PROVIDER_ERROR"],
  },
  async (ctx) => ok({ data: await listBanks(ctx) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
