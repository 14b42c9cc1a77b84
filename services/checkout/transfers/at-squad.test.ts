import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import type { SentNotice } from "#testing/providers/sent-notice.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { aLiveMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { accountBalance, aLink, makeOverdue, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { alertsOf, expectPaidOnce, lastOf, postTo, readAgain } from "./live-links.fixture.ts";

// Live mode, with the app, its notices over HTTP, and a simulated Squad.
const squad = withSquad();
withDatabase();
const app = withApp();

const KOBO = 500_000;
let shop: TestMerchant;
beforeEach(async () => {
  squad.noticeUrl = `${app.url}/api/providers/squad/notices`;
  shop = await aLiveMerchant({ bank: "squad" });
});

const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);
const pay = ({ accountNumber }: PaymentLink, kobo = KOBO, copies = 1) => squad.pay(accountNumber, kobo, { copies });
const post = (notice: SentNotice) => postTo(`${app.url}/api/providers/squad/notices`, notice);
const lastNotice = () => lastOf(squad.notices);

describe("a link of live mode at Squad", () => {
  test("is not paid by the notice of a wrong amount in which somebody has written SUCCESS", async () => {
    const link = await aLink(shop);
    await pay(link, 1_000);
    const { headers, body } = lastNotice();
    const forged = body.replace("MISMATCH", "SUCCESS").replace('"merchant_amount":"5000.00"', '"merchant_amount":"10.00"');
    expect(forged).not.toBe(body);
    expect((await post({ headers, body: forged })).status).toBe(200);
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [] });
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("refuses a notice that another key signed, and reads nothing for it", async () => {
    const link = await aLink(shop);
    squad.noticeUrl = null;
    await pay(link);
    const notice = JSON.parse(lastNotice().body);
    squad.wire.requests.splice(0);
    expect((await post(squad.sign(notice, "sk_of_another_business"))).status).toBe(401);
    expect(squad.wire.requests).toEqual([]);
    expect((await now(link)).status).toBe("pending");
  });

  test.each([
    ["under", KOBO - 1],
    ["over", KOBO + 1],
  ])("shows no transfer for an amount that is %s, tells the merchant, and is paid by the exact one after it", async (_, kobo) => {
    const link = await aLink(shop);
    await pay(link, kobo);
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [] });
    expect(await alertsOf(shop.merchant.id)).toEqual(["checkout.return_untold"]);
    await pay(link);
    await expectPaidOnce(shop, link);
    // A reading shows both again.
    await readAgain(link);
    await expectPaidOnce(shop, link);
    expect(await alertsOf(shop.merchant.id)).toEqual(["checkout.return_untold"]);
  });

  test("says expired for late money, and stays paid after a second payer, and tells the merchant of both", async () => {
    const [late, paid] = [await aLink(shop), await aLink(shop)];
    await makeOverdue(late);
    squad.books.endTime(late.reference);
    await pay(late);
    await readAgain(late);
    expect(await now(late)).toMatchObject({ status: "expired", transfers: [] });
    await pay(paid);
    await pay(paid);
    await expectPaidOnce(shop, paid);
    expect(await alertsOf(shop.merchant.id)).toEqual(["checkout.return_untold", "checkout.return_untold"]);
  });

  test("keeps exact money for a link that ended before its account, out of the wallet", async () => {
    const link = await aLink(shop);
    await makeOverdue(link, 2_000);
    await pay(link);
    await readAgain(link);
    expect(await now(link)).toMatchObject({ status: "expired", transfers: [{ classification: "late", sentBack: false }] });
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(BigInt(KOBO));
    await expectInvariantsToHold();
  });

  test("has money of its own account only, where a number is given to a second link", async () => {
    const first = await aLink(shop);
    await pay(first);
    let second = await aLink(shop);
    while (second.accountNumber !== first.accountNumber) second = await aLink(shop);
    await readAgain(second);
    expect((await now(second)).status).toBe("pending");
    await pay(second);
    expect((await now(second)).status).toBe("success");
    await readAgain(first);
    expect(await walletOf(shop)).toEqual(naira(10_000));
    await expectInvariantsToHold();
  });

  test("of which Squad says that its payment goes back keeps it, and operators are told", async () => {
    const link = await aLink(shop);
    await pay(link);
    squad.books.refundLast(link.reference);
    await readAgain(link);
    await expectPaidOnce(shop, link);
    expect(await sql()`select from alerts where type = 'bank_account.unclear' and resource_id = ${link.id}`).toHaveLength(1);
  });

  test.each(["EXPIRED", "MISMATCH", undefined] as const)(
    "whose payment Squad calls %s an hour later keeps it, and operators are told, not the merchant",
    async (word) => {
      const link = await aLink(shop);
      await pay(link);
      squad.books.rewriteLast(link.reference, word);
      await readAgain(link);
      expect(await sql()`select from alerts where type = 'bank_account.unclear' and resource_id = ${link.id}`).toHaveLength(0);
      await sql()`update bank_transfers set created_at = created_at - interval '1 h' where link_id = ${link.id}`;
      await readAgain(link);
      expect(await sql()`select from alerts where type = 'bank_account.unclear' and resource_id = ${link.id}`).toHaveLength(1);
      await expectPaidOnce(shop, link);
    },
  );
});
