import { ok } from "#app/_http/answers.ts";
import { dataOf } from "#app/_http/common-schemas.ts";
import { merchantRoute } from "#app/_http/merchant-route.ts";
import { refuseOtherThan } from "#app/_http/refusals.ts";
import { getProof, presentWalletProof, WalletProofObject, WalletProofQuery } from "#services/seals/index.ts";

export const GET = merchantRoute(
  {
    name: "getWalletProof",
    summary: "Read a signed head of the wallet's history",
    description:
      "What the history was when it was sealed: the number of its rows and the end of a chain of hashes over them, signed. Keep it. The rows that you read, today or later, must come to the same hash; the guide shows how.",
    permission: "wallet:read",
    query: WalletProofQuery,
    returns: { 200: dataOf(WalletProofObject) },
    errors: ["RESOURCE_NOT_FOUND"],
  },
  async (ctx, { query: { at } }) => ok({ data: presentWalletProof(await getProof(ctx, at === undefined ? undefined : BigInt(at))) }),
);

export const { POST, PUT, PATCH, DELETE, OPTIONS } = refuseOtherThan("GET");
