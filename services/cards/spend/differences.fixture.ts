import { expect, vi } from "vitest";
import { sql } from "#db/client.ts";
import { type Money, money } from "#lib/money.ts";
import type { OperationOutcome, SpendTransaction } from "#providers/issuer.ts";
import { until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { setRate } from "../../exchange/index.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import type { OperationRow } from "../card-operation.ts";
import { isQuiet, issuerOf, latestOperation, operationRow, orderFault, readTestCard, spendRow, type TestCard } from "../cards.fixture.ts";
import { changeCard } from "../operations/freeze-and-terminate.ts";
import { fundCard, unloadCard } from "../operations/fund-and-unload.ts";
import { settleOperation } from "../operations/settle.ts";
import { fundingFee, RATE_SCALE } from "../prices/prices.fixture.ts";
import { recordTransaction } from "./record-transaction.ts";

/** One rate for buying and selling, so that the order in which dollars move costs no spread. */
export const RATE = 1_500n;

export async function setOneRate({ merchant }: TestMerchant): Promise<void> {
  const scaled = RATE * RATE_SCALE;
  await decidedByTwo((by) => setRate(by, merchant.id, { buy: scaled, mid: scaled, sell: scaled, validForHours: 24 }));
}

/** Returns the kobo that a funding of an amount of dollars costs at `RATE`. */
export const costOfFunding = (amount: number): bigint => (BigInt(amount) * 100n + fundingFee(amount).minor) * RATE;

let listedRows = 0;
/** Records a row of the issuer's list of spend, without a sync. Returns the issuer's name for it. */
export async function listSpend(
  shop: TestMerchant,
  { id }: TestCard,
  { type, cents, of = null }: { type: SpendTransaction["type"]; cents: bigint; of?: string | null },
): Promise<string> {
  const transactionReference = `listed-${listedRows++}`;
  const row = spendRow({ transactionReference, type, amount: money(cents, "USD"), relatedReference: of });
  await recordTransaction(await readTestCard(shop, id), row);
  return transactionReference;
}

/** Terminates the card. `meanwhile` runs before the issuer answers that it returned `taken`. */
export async function terminateReturning(
  shop: TestMerchant,
  card: TestCard,
  taken: Money,
  meanwhile: () => Promise<unknown> = async () => undefined,
): Promise<void> {
  const issuer = issuerOf(card);
  const { terminate } = issuer;
  const lie = vi.spyOn(issuer, "terminate").mockImplementationOnce(async (request) => {
    const outcome = await terminate(request);
    await meanwhile();
    return { ...outcome, taken } as OperationOutcome;
  });
  await changeCard(shop.ctx, card.id, "terminate");
  lie.mockRestore();
  // The sweep that the end makes due is over, so that the test decides when the card is synced again.
  await until(async () => isQuiet(await readTestCard(shop, card.id)));
}

/** An operation that is settled as lost here. */
export async function aLostOperation(
  shop: TestMerchant,
  card: TestCard,
  { type, cents = 0n }: { type: "fund" | "unload" | "terminate"; cents?: bigint },
): Promise<OperationRow> {
  await orderFault("sandbox", type === "terminate" ? "close" : type, "error_before", card);
  const amount = money(cents, "USD");
  if (type === "fund") await fundCard(shop.ctx, card.id, { amount });
  else if (type === "unload") await unloadCard(shop.ctx, card.id, { amount });
  else await changeCard(shop.ctx, card.id, "terminate");
  const operation = await latestOperation(shop, card.id, type);
  await settleOperation(operation, { status: "lost", askedAt: operation.askedAt }, { countsAsAttempt: true });
  const lost = await operationRow(shop, operation.id);
  expect(lost.status).toBe("failed");
  return lost;
}

/** Settles a lost operation with the issuer's late answer that it is completed. */
export async function correct(shop: TestMerchant, { id }: OperationRow, taken: Money | null): Promise<void> {
  const outcome: OperationOutcome = { status: "completed", providerReference: "theirs", issued: null, taken };
  await settleOperation(await operationRow(shop, id), outcome, { countsAsAttempt: true });
}

/** Ends the re-checks of a card's lost operations, as time or an operator does. */
export const endRechecks = ({ id }: TestCard) => sql()`update card_operations set recheck_at = null where card_id = ${id}`;
