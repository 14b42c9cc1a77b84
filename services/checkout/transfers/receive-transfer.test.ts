import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { accountBalance, aLink, eventTypesOf, hear, keepAtSandboxBank, makeOverdue, noticeOf, walletOf } from "../checkout.fixture.ts";
import { expireDueLinks, expireLink } from "../links/expire-links.ts";
import { getLinkByReference } from "../links/read-links.ts";
import { returnOwedTransfers } from "./return-transfers.ts";
import { retryNotices, takeNotice } from "./take-notice.ts";

withDatabase();
withApp();

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
});

/** Makes a new merchant with one pending link. Returns the link. */
const aLinkOfItsOwn = async () => {
  shop = await aMerchant();
  return aLink(shop);
};
const currentLink = (reference: string) => getLinkByReference(shop.ctx, reference);

describe("an exact transfer in time", () => {
  test("that the bank reports ten times at once pays the link and credits the wallet in full, once, with one event", async () => {
    const link = await aLinkOfItsOwn();
    const notice = noticeOf(link);
    await Promise.all(times(10, () => hear(notice)));
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect(await currentLink(link.reference)).toMatchObject({ status: "success", paidAt: notice.receivedAt });
    expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
    await expectInvariantsToHold();
  });

  test("pays once when five different exact transfers come at once; the other four go back", async () => {
    const link = await aLinkOfItsOwn();
    await Promise.all(times(5, () => hear(noticeOf(link))));
    expect(await walletOf(shop)).toEqual(naira(5_000));
    const { transfers } = await currentLink(link.reference);
    expect(transfers.filter(({ disposition }) => disposition === "accepted")).toHaveLength(1);
    expect(transfers.filter(({ classification }) => classification === "duplicate")).toHaveLength(4);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(4n * naira(5_000).minor);
    await expectInvariantsToHold();
  });

  test("pays an expired link when the notice comes late but the money came in time", async () => {
    const link = await aLinkOfItsOwn();
    const expiresAt = await makeOverdue(link);
    await expireLink(link.merchantId, link.id);
    expect((await currentLink(link.reference)).status).toBe("expired");
    await hear(noticeOf(link, { receivedAt: new Date(expiresAt.getTime() - 1) }));
    expect((await currentLink(link.reference)).status).toBe("success");
    expect(await eventTypesOf(shop)).toEqual(["checkout.expired", "checkout.success"]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("pays its link also when the expiry sweep runs at the same time", async () => {
    shop = await aMerchant();
    const links = await Promise.all(times(12, () => aLink(shop)));
    const ends = await Promise.all(links.map((link) => makeOverdue(link, 0)));
    const payments = links.map((link, i) => hear(noticeOf(link, { receivedAt: new Date((ends[i]?.getTime() ?? 0) - 1) })));
    await Promise.all([...payments, expireDueLinks(systemContext("test")), expireDueLinks(systemContext("test"))]);
    for (const { reference } of links) expect((await currentLink(reference)).status).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(12 * 5_000));
    const types = await eventTypesOf(shop);
    expect(types.filter((type) => type === "checkout.success")).toHaveLength(12);
    await expectInvariantsToHold();
  });
});

describe("a transfer", () => {
  const cases = [
    ["underpaid", { amount: naira(4_999.99) }],
    ["overpaid", { amount: naira(5_000.01) }],
  ] as const;
  test.each(cases)(
    "that is %s never moves the wallet, is shown on the link and stays in suspense until it goes back",
    async (classification, change) => {
      const link = await aLinkOfItsOwn();
      await hear(noticeOf(link, change));
      const after = await currentLink(link.reference);
      expect(after.status).toBe("pending");
      expect(after.transfers).toMatchObject([{ classification, disposition: "returned" }]);
      expect(await walletOf(shop)).toEqual(naira(0));
      expect(await accountBalance(shop.merchant.id, "suspense")).toBe(change.amount.minor);
      expect(await eventTypesOf(shop)).toEqual(["checkout.transfer_rejected"]);
      await hear(noticeOf(link));
      expect((await currentLink(link.reference)).status).toBe("success");
      await expectInvariantsToHold();
    },
  );

  test("is late from the instant of expiry on, and in time one millisecond before", async () => {
    const [late, inTime] = [await aLinkOfItsOwn(), await aLink(shop)];
    await hear(noticeOf(late, { receivedAt: late.expiresAt }));
    await hear(noticeOf(inTime, { receivedAt: new Date(inTime.expiresAt.getTime() - 1) }));
    expect((await currentLink(late.reference)).transfers).toMatchObject([{ classification: "late", disposition: "returned" }]);
    expect((await currentLink(inTime.reference)).status).toBe("success");
  });

  test("to a paid link is a duplicate, also when it is late and of a wrong amount", async () => {
    const link = await aLinkOfItsOwn();
    await hear(noticeOf(link));
    await hear(noticeOf(link, { amount: naira(1), receivedAt: new Date(link.expiresAt.getTime() + 60_000) }));
    expect((await currentLink(link.reference)).transfers.map(({ classification }) => classification)).toEqual(["exact", "duplicate"]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
  });

  test("that the bank has already sent back is stored and moves no money, also when its notice comes before the transfer that pays", async () => {
    const link = await aLinkOfItsOwn();
    await hear(noticeOf(link, { returnedBecause: "duplicate" }));
    expect((await currentLink(link.reference)).transfers).toMatchObject([{ classification: "duplicate", disposition: "returned" }]);
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
    await hear(noticeOf(link));
    expect((await currentLink(link.reference)).status).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });
});

test("a bank session credits once across merchants: a notice of the same session for another account changes nothing", async () => {
  const mine = await aLinkOfItsOwn();
  const other = await aMerchant();
  const theirs = await aLink(other);
  const notice = noticeOf(mine);
  await hear(notice);
  await hear(noticeOf(theirs, { sessionId: notice.sessionId }));
  expect(await walletOf(other)).toEqual(naira(0));
  await expectInvariantsToHold();
});

test("a number and a reference that another bank has for another merchant still lead to our merchant at our bank", async () => {
  const link = await aLinkOfItsOwn();
  const other = await aMerchant();
  const theirs = await aLink(other);
  await sql()`
    insert into one_time_accounts (provider, account_reference, account_number, merchant_id, link_id)
    values ('other bank', ${link.reference}, ${link.accountNumber}, ${other.merchant.id}, ${theirs.id})`;
  await hear(noticeOf(link));
  expect(await walletOf(shop)).toEqual(naira(5_000));
  expect(await walletOf(other)).toEqual(naira(0));
});

test("money for an unknown account goes to the platform's suspense account once, and credits no merchant", async () => {
  const link = await aLinkOfItsOwn();
  const before = await accountBalance("mer_platform_test", "suspense");
  const notice = noticeOf({ ...link, accountNumber: "0000000000" }, { amount: naira(77) });
  await Promise.all(times(3, () => hear(notice)));
  expect(await accountBalance("mer_platform_test", "suspense")).toBe(before + naira(77).minor);
  expect(await walletOf(shop)).toEqual(naira(0));
  await expectInvariantsToHold();
});

test("one of two workers asks the bank to send refused money back, and the money leaves suspense when the bank confirms", async () => {
  const link = await aLinkOfItsOwn();
  const notice = noticeOf(link, { amount: naira(1_234) });
  await keepAtSandboxBank(notice);
  await hear(notice);
  await Promise.all([returnOwedTransfers(systemContext("test")), returnOwedTransfers(systemContext("test"))]);
  expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
  const [row] = await sql()<
    { return_state: string; return_attempts: number }[]
  >`select return_state, return_attempts from bank_transfers where session_id = ${notice.sessionId}`;
  expect(row).toEqual({ return_state: "done", return_attempts: 1 });
  await expectInvariantsToHold();
});

test("refused money stays in suspense while the bank does not confirm its return, and the next attempt waits", async () => {
  const link = await aLinkOfItsOwn();
  await hear(noticeOf(link, { amount: naira(1_234) }));
  await returnOwedTransfers(systemContext("test"));
  expect(await accountBalance(shop.merchant.id, "suspense")).toBe(naira(1_234).minor);
  expect(await returnOwedTransfers(systemContext("test"))).toBe(0);
});

test("an overdue link that five readers and two sweeps find at once expires once, with one event", async () => {
  const link = await aLinkOfItsOwn();
  await makeOverdue(link);
  const reads = await Promise.all([
    ...times(5, () => currentLink(link.reference)),
    ...times(2, () => expireDueLinks(systemContext("test"))),
  ]);
  expect(reads.slice(0, 5)).toMatchObject(Array.from({ length: 5 }, () => ({ status: "expired" })));
  expect(await eventTypesOf(shop)).toEqual(["checkout.expired"]);
});

test("a notice whose processing failed is stored, and is processed later, once", async () => {
  const link = await aLinkOfItsOwn();
  const notice = noticeOf(link);
  await sql()`alter table event_counters rename to event_counters_gone`;
  await takeNotice(systemContext("test"), "sandbox", notice);
  await sql()`alter table event_counters_gone rename to event_counters`;
  expect(await walletOf(shop)).toEqual(naira(0));
  await takeNotice(systemContext("test"), "sandbox", notice);
  expect(await walletOf(shop)).toEqual(naira(0));
  await sql()`update provider_notices set next_attempt_at = now() - interval '1 second' where notice_id = ${notice.noticeId}`;
  await Promise.all([retryNotices(systemContext("test")), retryNotices(systemContext("test"))]);
  expect(await walletOf(shop)).toEqual(naira(5_000));
  expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
  await expectInvariantsToHold();
});

test("events count from one without gaps while many links are paid at once", async () => {
  shop = await aMerchant();
  const links = await Promise.all(times(20, () => aLink(shop)));
  await Promise.all(links.flatMap((link) => [hear(noticeOf(link)), hear(noticeOf(link))]));
  const rows = await sql()<{ sequence: bigint }[]>`select sequence from events where merchant_id = ${shop.merchant.id} order by sequence`;
  expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 2 * links.length }, (_, i) => BigInt(i + 1)));
  await expectInvariantsToHold();
});
