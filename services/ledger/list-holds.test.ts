import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars, naira } from "#lib/money.ts";
import { newPurchaseId } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aCard, anApprovedCardholder, orderFault } from "../cards/cards.fixture.ts";
import { changeCard, fundCard, issueCard, setFeeRule, unloadCard } from "../cards/index.ts";
import { FUND_RATE, fundingCost } from "../cards/prices/prices.fixture.ts";
import { anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { settleAnswer } from "../vtu/buying/settle-answers.ts";
import type { PurchaseRow } from "../vtu/purchase.ts";
import { AIRTIME_PRICE, aClaimedPurchase, aVtuMerchant, DELIVERED, FAILED } from "../vtu/vtu.fixture.ts";
import { getWallet, holdKeyOf, listHolds } from "./index.ts";
import { hold, newKey, post } from "./ledger.fixture.ts";
import type { Hold, Holds } from "./list-holds.ts";

withDatabase();
withApp();
withCardSweeps();

/** Claims a purchase under an id of now, as those of the API are. */
const claim = (shop: TestMerchant): Promise<PurchaseRow> => aClaimedPurchase(shop, { id: newPurchaseId(shop.merchant.number) });

const sumOf = (holds: Hold[]) => holds.reduce((sum, { amount }) => sum + amount.minor, 0n);

async function expectToAgreeWithTheWallet({ ctx }: TestMerchant): Promise<void> {
  const { holds, hasMore, held, isComplete } = await listHolds(ctx);
  expect({ hasMore, held, isComplete }).toEqual({ hasMore: false, held: (await getWallet(ctx)).held, isComplete: true });
  expect(sumOf(holds)).toBe(held.minor);
}

describe("the list of holds", () => {
  test("names what each hold of the wallet is for, newest first, and nothing that is settled or held on a card", async () => {
    const shop = await aVtuMerchant();
    const card = await aCard(shop, { balance: 20 });
    const holder = await anApprovedCardholder(shop);
    const issueFee = dollars(2);
    await setFeeRule(anOperator, shop.merchant.id, "issue", { flat: issueFee.minor, bps: 0, minimum: 0n, maximum: null });
    for (const kind of ["fund", "unload", "freeze", "issue"]) await orderFault("sandbox", kind, "error_before");
    const first = await claim(shop);
    const funding = await fundCard(shop.ctx, card.id, { amount: dollars(5) });
    const settled = await claim(shop);
    await unloadCard(shop.ctx, card.id, { amount: dollars(1) });
    await changeCard(shop.ctx, card.id, "freeze");
    const { id: issued } = await issueCard(shop.ctx, { cardholderId: holder.id, brand: "VISA", nickname: null });
    const last = await claim(shop);
    await settleAnswer(settled, DELIVERED);
    const [issue] = await sql()<{ id: string; reference: string }[]>`
      select id, reference from card_operations where merchant_id = ${shop.merchant.id} and card_id = ${issued} and type = 'issue'`;
    const ofPurchase = ({ id, createdAt }: PurchaseRow) => ({
      ...{ type: "vtu_airtime", reference: id, amount: AIRTIME_PRICE, createdAt },
      related: { type: "purchase", id, reference: id, cardId: null },
    });
    const { holds } = await listHolds(shop.ctx);
    expect(holds).toMatchObject([
      ofPurchase(last),
      {
        ...{ type: "card_issue", reference: issue?.reference, amount: { minor: issueFee.minor * FUND_RATE, currency: "NGN" } },
        related: { type: "card_operation", id: issue?.id, reference: issue?.reference, cardId: issued },
      },
      {
        ...{ type: "card_fund", reference: funding.reference, amount: fundingCost(5) },
        related: { type: "card_operation", id: funding.id, reference: funding.reference, cardId: card.id },
      },
      ofPurchase(first),
    ]);
    for (const { id } of holds) expect(id).toMatch(/^ltr_/);
    await expectToAgreeWithTheWallet(shop);
    await expectInvariantsToHold();
  });

  test("is empty for a wallet without holds, whatever another merchant's wallet holds", async () => {
    await claim(await aVtuMerchant());
    const shop = await aVtuMerchant();
    expect(await listHolds(shop.ctx)).toEqual({ holds: [], hasMore: false, held: naira(0), isComplete: true });
    await expectToAgreeWithTheWallet(shop);
  });

  test("adds up to the held money of the wallet at every moment while purchases are claimed and settled", async () => {
    const shop = await aVtuMerchant({ wallet: 100_000_000 });
    let isOver = false;
    const buying = Promise.all(
      times(4, async () => {
        while (!isOver) {
          const mine = await Promise.all(times(3, () => claim(shop)));
          await Promise.all(mine.map((purchase, i) => settleAnswer(purchase, i % 2 ? FAILED : DELIVERED)));
        }
      }),
    );
    const readings: Holds[] = [];
    const seen = new Set<bigint>();
    // On a slow machine, the first readings may all come before the first hold.
    while (readings.length < 200 || seen.size < 3) {
      const reading = await listHolds(shop.ctx);
      readings.push(reading);
      seen.add(reading.held.minor);
    }
    isOver = true;
    await buying;
    for (const { holds, held, hasMore, isComplete } of readings) {
      expect({ sum: sumOf(holds), hasMore, isComplete }).toEqual({ sum: held.minor, hasMore: false, isComplete: true });
    }
    expect(await listHolds(shop.ctx)).toMatchObject({ holds: [], isComplete: true });
    await expectInvariantsToHold();
  });

  test("of 101 holds has the newest 100, and says that there are more and that it is not complete", async () => {
    const shop = await aVtuMerchant();
    const [oldest] = [await claim(shop), ...(await Promise.all(times(99, () => claim(shop))))];
    const full = await listHolds(shop.ctx);
    expect({ ...full, holds: full.holds.length }).toMatchObject({ holds: 100, hasMore: false, isComplete: true });
    const newest = await claim(shop);
    const { holds, hasMore, held, isComplete } = await listHolds(shop.ctx);
    expect({ hasMore, held, isComplete }).toEqual({ hasMore: true, held: (await getWallet(shop.ctx)).held, isComplete: false });
    expect(holds).toHaveLength(100);
    expect(holds[0]?.reference).toBe(newest.id);
    expect(holds.map(({ reference }) => reference)).not.toContain(oldest?.id);
  });

  test("leaves out a hold that is released, also where its purchase still says processing", async () => {
    const shop = await aVtuMerchant();
    const { id } = await claim(shop);
    await post(shop.merchant.id, { kind: "release", key: newKey(), target: holdKeyOf(id) });
    expect(await listHolds(shop.ctx)).toEqual({ holds: [], hasMore: false, held: naira(0), isComplete: true });
  });

  test("says that it is not complete where the wallet has a hold for neither a purchase nor a card operation", async () => {
    const shop = await aVtuMerchant();
    const { id } = await claim(shop);
    await post(shop.merchant.id, hold(700n));
    const { holds, hasMore, held, isComplete } = await listHolds(shop.ctx);
    expect(holds.map(({ reference }) => reference)).toEqual([id]);
    expect({ hasMore, held: held.minor, isComplete }).toEqual({ hasMore: false, held: AIRTIME_PRICE.minor + 700n, isComplete: false });
  });
});
