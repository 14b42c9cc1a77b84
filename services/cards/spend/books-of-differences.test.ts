import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { dollars } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { brokenAfter, expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import type { TestMerchant } from "../../merchants/merchant.fixture.ts";
import { aCard, aCardMerchant, openItemsOf, readTestCard, type TestCard } from "../cards.fixture.ts";
import { syncCard } from "../sync/sync-cards.ts";
import { aLostOperation, correct, endRechecks, listSpend, terminateReturning } from "./differences.fixture.ts";
import { resolveItem } from "./resolve-item.ts";

withDatabase();
withApp();
withCardSweeps();

let shop: TestMerchant;

const spend = async (card: TestCard, type: "CLEARING" | "REFUND", amount: number) => {
  await listSpend(shop, card, { type, cents: dollars(amount).minor });
  await syncCard(await readTestCard(shop, card.id));
};
const resolveAll = async (card: TestCard, word: "credit" | "dismiss") => {
  await endRechecks(card);
  for (const { id } of await openItemsOf(shop)) await decidedByTwo((by) => resolveItem(by, id, word, "The issuer wrote to us."));
};

const EXCHANGES = ["passed_on", "given_back", "refund_taken_back", "taken_back", "paid_for_spend"];
/** Returns what a transfer of the wallet is named after. What an item moved has the item's own key. */
const kindOf = (key: string) => EXCHANGES.find((kind) => key.includes(`:${kind}:`)) ?? "item";

beforeAll(async () => {
  shop = await aCardMerchant({ wallet: 3_000_000 });
  // A clearing is paid, and given back by the funding that it was made of.
  const funded = await aCard(shop, { balance: 20 });
  const funding = await aLostOperation(shop, funded, { type: "fund", cents: 1_000n });
  await terminateReturning(shop, funded, dollars(20));
  await spend(funded, "CLEARING", 10);
  await correct(shop, funding, null);
  // An unload took $9: spend explains $4 of them, and an operator credits $5.
  const unloaded = await aCard(shop, { balance: 20 });
  const [first, second] = [
    await aLostOperation(shop, unloaded, { type: "unload", cents: 500n }),
    await aLostOperation(shop, unloaded, { type: "unload", cents: 400n }),
  ];
  await terminateReturning(shop, unloaded, dollars(11));
  await spend(unloaded, "CLEARING", 4);
  await resolveAll(unloaded, "credit");
  await correct(shop, first, dollars(5));
  await correct(shop, second, dollars(4));
  // A return is credited, and a part of it is explained by a refund; another is explained by a funding.
  const returned = await aCard(shop, { balance: 20 });
  await terminateReturning(shop, returned, dollars(30));
  await resolveAll(returned, "credit");
  await spend(returned, "REFUND", 4);
  const explained = await aCard(shop, { balance: 20 });
  const other = await aLostOperation(shop, explained, { type: "fund", cents: 500n });
  await terminateReturning(shop, explained, dollars(25));
  await correct(shop, other, null);
  // A refund is passed on that an unload had taken before.
  const refunded = await aCard(shop, { balance: 20 });
  const early = await aLostOperation(shop, refunded, { type: "unload", cents: 200n });
  await terminateReturning(shop, refunded, dollars(19));
  await spend(refunded, "REFUND", 1);
  await correct(shop, early, dollars(2));
  // A refund is passed on, and a dismissed difference is used up by a clearing.
  const dismissed = await aCard(shop, { balance: 20 });
  await terminateReturning(shop, dismissed, dollars(10));
  await resolveAll(dismissed, "dismiss");
  await spend(dismissed, "CLEARING", 6);
  await spend(dismissed, "REFUND", 3);
});

describe("an invariant reports a late posting that is missing or wrong", () => {
  const walletLegs = () => sql()<{ key: string }[]>`
    select key from ledger_transfers where merchant_id = ${shop.merchant.id} and result = 'posted'
      and key ~ '(:passed_on|:given_back|:taken_back|:refund_taken_back|:paid_for_spend|^sus_[^:]+:[0-9]+):wallet$' order by key`;

  test("an exchange whose posting is missing or reversed breaks an invariant", async () => {
    await expectInvariantsToHold();
    const keys = (await walletLegs()).map(({ key }) => key);
    expect(new Set(keys.map(kindOf))).toEqual(new Set([...EXCHANGES, "item"]));
    for (const key of keys) {
      const gone = await brokenAfter("delete from ledger_transfers where key in ($1, $1 || ':overflow', $1 || ':recovery')", [key]);
      expect({ key, gone: gone.join() }).toEqual({ key, gone: expect.stringContaining("moved the wallet by their worth") });
      const turned = await brokenAfter(
        "update ledger_transfers set debit_account = credit_account, credit_account = debit_account where key = $1",
        [key],
      );
      expect({ key, turned: turned.join() }).toEqual({ key, turned: expect.stringContaining("moved the wallet by their worth") });
    }
  });

  test("a corrected funding without its charge, or with the charge reversed, breaks an invariant", async () => {
    const late = "(select id || ':wallet' from card_operations where type = 'fund' and corrected_at is not null limit 1)";
    expect(await brokenAfter(`delete from ledger_transfers where key = ${late}`)).toContainEqual(
      expect.stringContaining("the wallet paid once for what was issued or funded"),
    );
    const turned = `update ledger_transfers set debit_account = credit_account, credit_account = debit_account where key = ${late}`;
    expect(await brokenAfter(turned)).toContainEqual(expect.stringContaining("every posting has a cause"));
  });

  test.each([
    ["a credited part that a refund did not use up", "credited = 1000, spent = 0 where kind = 'returned_by_issuer' and credited = 600"],
    ["a dismissed part that a clearing did not use up", "dismissed = 1000, spent = 0 where kind = 'kept_by_issuer' and dismissed = 400"],
    [
      "a credited part that an unload did not use up",
      "credited = credited + 1 where kind = 'kept_by_issuer' and credited + spent < amount and resolution like 'credit%'",
    ],
  ])("%s", async (_what, change) => {
    const broken = await brokenAfter(`update suspense_items set ${change}`);
    expect(broken).toContainEqual(expect.stringMatching(/parts of a difference|late unloads took back/));
  });
});
