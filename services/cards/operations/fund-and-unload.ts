import { db, type Tx, transaction } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { formatMoney, type Money } from "#lib/money.ts";
import { Problem } from "#lib/problem.ts";
import { startStopwatch } from "#lib/stopwatch.ts";
import type { MerchantContext } from "../../context.ts";
import { assertLease } from "../../idempotency/index.ts";
import { holdOrRefuse, mustPost } from "../../ledger/index.ts";
import { requireUnrestrictedInLive } from "../../members/index.ts";
import { verb } from "../../verb.ts";
import type { CardRow } from "../card.ts";
import type { CardOperation, OperationRow } from "../card-operation.ts";
import {
  columnsOf,
  type FundingLimits,
  priceOfFunding,
  priceOfUnload,
  refuseAbove,
  refuseBelow,
  type UnloadLimits,
} from "../prices/prices.ts";
import { balanceOf, findOperation, lockNamedCard, obstaclesOf, readOperationAgain, withCardBalance } from "../rows.ts";
import { requireAllowed } from "../state-machine.ts";
import { callIssuer, claimOperation } from "./claim-and-call.ts";
import { holdOfCard, holdOfWallet } from "./journal.ts";
import { resolveOperation } from "./resolve.ts";

/**
 * Funds a card from the wallet. Holds (amount + fee) × rate on the wallet when it stores the operation; the hold is captured once the
 * issuer completes the funding, and released if the issuer refuses. The price that is compared with the limits is the price that is
 * stored. Returns the operation, `processing` if the issuer has not decided. Throws RESOURCE_NOT_FOUND, CARD_FROZEN, CARD_TERMINATED,
 * CARD_NOT_ACTIVE, PROVIDER_UNAVAILABLE (no valid rate), PRICE_CHANGED, INSUFFICIENT_BALANCE, and in live mode PERMISSION_DENIED while the member is
 * restricted. Unloading is not restricted: the money comes back to the wallet.
 */
export const fundCard = verb(
  { permission: "cards:write" },
  async (ctx: MerchantContext, cardId: string, { amount, ...limits }: FundingLimits & { amount: Money }): Promise<CardOperation> => {
    return moveMoney(ctx, cardId, "fund", async (tx, _card, id) => {
      const { merchant } = ctx;
      const price = await priceOfFunding(tx, merchant, amount);
      refuseAbove(price, limits);
      const operation = await claimOperation(tx, ctx, { id, merchantId: merchant.id, cardId, type: "fund", ...columnsOf(price) });
      await holdOrRefuse(tx, merchant.id, holdOfWallet(operation));
      return operation;
    });
  },
);

/**
 * Unloads dollars from a card to the wallet at the current rate. Holds the dollars on the card until the issuer says how many it took. The
 * price that is compared with the limits is the price that is stored. Returns the operation. Throws RESOURCE_NOT_FOUND, CARD_FROZEN,
 * CARD_TERMINATED, CARD_NOT_ACTIVE, PROVIDER_UNAVAILABLE (no valid rate), PRICE_CHANGED, INSUFFICIENT_CARD_BALANCE.
 */
export const unloadCard = verb(
  { permission: "cards:write" },
  async (ctx: MerchantContext, cardId: string, { amount, ...limits }: UnloadLimits & { amount: Money }): Promise<CardOperation> => {
    return moveMoney(ctx, cardId, "unload", async (tx, card, id) => {
      const { merchant } = ctx;
      const price = await priceOfUnload(tx, merchant, amount);
      refuseBelow(price, limits);
      const balance = await balanceOf(tx, card);
      if (balance.minor < amount.minor) {
        const advice = balance.minor > 0n ? "Send at most that." : "There is nothing to unload.";
        throw new Problem("INSUFFICIENT_CARD_BALANCE", `This card has ${formatMoney(balance)}. ${advice}`);
      }
      const operation = await claimOperation(tx, ctx, { id, merchantId: merchant.id, cardId, type: "unload", ...columnsOf(price) });
      await mustPost(tx, merchant.id, holdOfCard(operation));
      return operation;
    });
  },
);

type Claim = (tx: Tx, card: CardRow, operationId: string) => Promise<OperationRow>;

async function moveMoney(ctx: MerchantContext, cardId: string, type: "fund" | "unload", claim: Claim): Promise<CardOperation> {
  const id = ctx.resourceId ?? newId("cardOperation");
  const begun = ctx.resumed ? await findOperation(ctx.merchant.id, id) : undefined;
  if (begun) return finishBegun(begun);
  if (type === "fund") await requireUnrestrictedInLive(ctx);
  const elapsedMs = startStopwatch();
  const { card, operation } = await transaction(async (tx) => {
    await assertLease(tx, ctx);
    const card = await lockNamedCard(tx, ctx, cardId);
    requireAllowed(card.status, type, await obstaclesOf(tx, card));
    return { card, operation: await claim(tx, card, id) };
  });
  return withCardBalance(await callIssuer(operation, { card, elapsedMs }));
}

/** Resumes an operation that an earlier attempt stored: reads its outcome from the issuer, and does not start it again. */
async function finishBegun(begun: OperationRow): Promise<CardOperation> {
  if (begun.status === "processing") await resolveOperation(begun);
  return withCardBalance(await readOperationAgain(db(), begun));
}
