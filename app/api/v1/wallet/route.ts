import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getWallet, presentWallet, WalletObject } from "#services/ledger/index.ts";

export const GET = merchantRoute(
  { name: "getWallet", summary: "Read the wallet", permission: "wallet:read", returns: { 200: dataOf(WalletObject) } },
  async (ctx) => ok({ data: presentWallet(await getWallet(ctx)) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
