import { request } from "undici";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { db, sql } from "#db/client.ts";
import { settings } from "#lib/env.ts";
import { naira } from "#lib/money.ts";
import { sandboxNoticeSecret, sandboxRequestSecret } from "#lib/sandbox-link.ts";
import { sign } from "#lib/signature.ts";
import type { BankNotice } from "#providers/bank.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { systemContext } from "../../context.ts";
import { getWallet, mustPost, REVENUE_SPREAD, WALLET } from "../../ledger/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { banks } from "../../providers/index.ts";
import { listSuspense, returnUnmatched } from "../../suspense/index.ts";
import { accountBalance, aLink, eventTypesOf, hear, keepAtSandboxBank, noticeOf, walletOf } from "../checkout.fixture.ts";
import { findLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { returnOwedTransfers } from "./return-transfers.ts";
import { retryNotices, takeNotice } from "./take-notice.ts";

withDatabase();
const app = withApp();

let shop: TestMerchant;
let link: PaymentLink;

const currentLink = async () => {
  const found = await findLinkByReference(shop.merchant.id, link.reference);
  if (!found) throw new Error("gone");
  return found;
};
const alertTypes = async (merchantId: string) =>
  (await sql()<{ type: string }[]>`select type from alerts where merchant_id = ${merchantId} order by id`).map(({ type }) => type);
const operatorAlerts = (resource: string) =>
  sql()<{ type: string }[]>`select type from alerts where merchant_id = 'mer_platform_test' and resource_id = ${resource}`;
const transferOf = async ({ sessionId }: BankNotice) => {
  const [row] = await sql()<{ id: string; disposition: string; return_state: string }[]>`
    select id, disposition, return_state from bank_transfers where session_id = ${sessionId}`;
  if (!row) throw new Error("no transfer");
  return row;
};
const spend = (amount: number) =>
  mustPost(db(), shop.merchant.id, [
    { kind: "post", key: `test:${Math.random()}`, debit: WALLET, credit: REVENUE_SPREAD, amount: naira(amount) },
  ]);

beforeEach(async () => {
  shop = await aMerchant();
  link = await aLink(shop);
});

describe("a recall of a payment", () => {
  test("that the bank reports five times at once debits the wallet once, and the link, the transfer, an event and two alerts record it", async () => {
    const paid = noticeOf(link);
    await hear(paid);
    const recalled = { ...paid, noticeId: "again", returnedBecause: "recalled" as const };
    await Promise.all(times(5, () => hear(recalled)));
    await hear(paid);
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await currentLink()).toMatchObject({
      status: "success",
      recalledAt: expect.any(Date),
      transfers: [{ disposition: "recalled" }],
    });
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.transfer_recalled"]);
    expect(await alertTypes(shop.merchant.id)).toEqual(["checkout.transfer_recalled"]);
    expect(await operatorAlerts((await transferOf(paid)).id)).toEqual([{ type: "bank_transfer.recalled" }]);
    await expectInvariantsToHold();
  });

  test("is recognised whatever reason the bank gives, also `late`", async () => {
    const paid = noticeOf(link);
    await hear(paid);
    await hear({ ...paid, returnedBecause: "late" });
    expect(await walletOf(shop)).toEqual(naira(0));
    expect((await currentLink()).transfers).toMatchObject([{ disposition: "recalled" }]);
    await expectInvariantsToHold();
  });

  test("a recall of money that the wallet has spent leaves a debt, which the next payment pays first", async () => {
    const paid = noticeOf(link);
    await hear(paid);
    await spend(3_000);
    await hear({ ...paid, returnedBecause: "recalled" });
    expect(await getWallet(shop.ctx)).toEqual({ balance: naira(0), available: naira(0), held: naira(0), owed: naira(3_000) });
    link = await aLink(shop);
    await hear(noticeOf(link));
    expect(await getWallet(shop.ctx)).toEqual({
      balance: naira(5_000 - 3_000),
      available: naira(5_000 - 3_000),
      held: naira(0),
      owed: naira(0),
    });
    await expectInvariantsToHold();
  });

  test("if the notice of a recall comes before that of its payment, the link stays unpaid", async () => {
    const paid = noticeOf(link);
    await hear({ ...paid, returnedBecause: "recalled" });
    await hear(paid);
    expect(await walletOf(shop)).toEqual(naira(0));
    expect((await currentLink()).status).toBe("pending");
    await expectInvariantsToHold();
  });

  test("that the test bank sends over HTTP takes the money from the wallet", async () => {
    const sessionId = `recall-${Math.random().toString(36).slice(2)}`;
    const tell = async (operation: string, content: Record<string, unknown>) => {
      const body = JSON.stringify(content);
      const headers = { "content-type": "application/json", "x-sandbox-signature": sign(sandboxRequestSecret(), body) };
      await (await request(`${settings().SANDBOX_URL}/sandbox/bank/${operation}`, { method: "POST", headers, body })).body.dump();
    };
    await tell("transfers", {
      session: sessionId,
      account_no: link.accountNumber,
      kobo: String(naira(5_000).minor),
      from: "Ada",
      made_at: null,
    });
    await until(async () => (await currentLink()).status === "success");
    await tell("recalls", { session: sessionId });
    await until(async () => (await currentLink()).recalledAt !== null);
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });
});

test("a notice that contradicts an earlier one of its session moves no money, and operators get an alert", async () => {
  const paid = noticeOf(link);
  await hear(paid);
  const other = await aLink(shop);
  await hear({ ...paid, amount: naira(9_999) });
  await hear({ ...paid, accountNumber: other.accountNumber });
  expect(await walletOf(shop)).toEqual(naira(5_000));
  expect(await operatorAlerts((await transferOf(paid)).id)).toEqual(Array(2).fill({ type: "bank_notice.contradicts" }));
  const second = noticeOf(other);
  await hear(second);
  await hear({ ...second, receivedAt: new Date(second.receivedAt.getTime() - 1_000) });
  expect(await operatorAlerts((await transferOf(second)).id)).toEqual([{ type: "bank_notice.contradicts" }]);
  await expectInvariantsToHold();
});

test("a bank that sends refused money back without being asked settles the return", async () => {
  const wrong = noticeOf(link, { amount: naira(1_234) });
  await hear(wrong);
  expect(await accountBalance(shop.merchant.id, "suspense")).toBe(naira(1_234).minor);
  await Promise.all(times(3, () => hear({ ...wrong, returnedBecause: "underpaid" })));
  expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
  expect(await transferOf(wrong)).toMatchObject({ disposition: "returned", return_state: "done" });
  await expectInvariantsToHold();
});

describe("a bank's notice", () => {
  test("a notice with new content under an id that the bank has used before counts as another notice", async () => {
    const second = await aLink(shop);
    await takeNotice(systemContext("test"), "sandbox", noticeOf(link, { noticeId: "ntc_1" }));
    await takeNotice(systemContext("test"), "sandbox", noticeOf(second, { noticeId: "ntc_1" }));
    expect(await walletOf(shop)).toEqual(naira(10_000));
    await expectInvariantsToHold();
  });

  test("that fails stays due when another one with its id is processed, and is processed later", async () => {
    const second = await aLink(shop);
    const [first, other] = [noticeOf(link, { noticeId: "ntc_2" }), noticeOf(second, { noticeId: "ntc_2" })];
    await sql()`alter table payment_links add constraint refuse_one check (id <> ${sql().unsafe(`'${link.id}'`)} or status <> 'success')`;
    await Promise.all([first, other].map((notice) => takeNotice(systemContext("test"), "sandbox", notice)));
    await sql()`alter table payment_links drop constraint refuse_one`;
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await sql()`update provider_notices set next_attempt_at = now() - interval '1 second' where next_attempt_at is not null`;
    await retryNotices(systemContext("test"));
    expect(await walletOf(shop)).toEqual(naira(10_000));
    await expectInvariantsToHold();
  });

  test("that fails again and again alerts operators, stays due, and is processed once it can be", async () => {
    const notice = noticeOf(link, { noticeId: "ntc_failing" });
    const fail = async (attempts: number) => {
      await sql()`update provider_notices set attempts = ${attempts}, next_attempt_at = now() - interval '1 second' where notice_id = 'ntc_failing'`;
      await retryNotices(systemContext("test"));
    };
    await sql()`alter table payment_links add constraint refuse_one check (id <> ${sql().unsafe(`'${link.id}'`)} or status <> 'success')`;
    await takeNotice(systemContext("test"), "sandbox", notice);
    await fail(12);
    expect(await operatorAlerts("ntc_failing")).toEqual([]);
    await fail(13);
    await fail(14);
    expect(await operatorAlerts("ntc_failing")).toEqual([{ type: "bank_notice.failing" }]);
    await sql()`alter table payment_links drop constraint refuse_one`;
    await fail(15);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test.each(["40211", "4O21", ""])(
    "a notice with the sender's account %j, which has no four digits to show, still credits the payment",
    async (senderAccountLast4) => {
      const payment = noticeOf(link, { senderAccountLast4 });
      await takeNotice(systemContext("test"), "sandbox", payment);
      expect(await walletOf(shop)).toEqual(naira(5_000));
      const [row] = await sql()`select sender_account_last4 from bank_transfers where session_id = ${payment.sessionId}`;
      expect(row?.sender_account_last4).toBeNull();
    },
  );

  test.each([
    ["of ₦0", { amount: naira(0) }],
    ["of less than nothing", { amount: { minor: -5n, currency: "NGN" as const } }],
    ["of dollars", { amount: { minor: 500_000n, currency: "USD" as const } }],
    ["of 2^63 kobo", { amount: { minor: 2n ** 63n, currency: "NGN" as const } }],
    ["of an impossible amount", { amount: { minor: 10n ** 30n, currency: "NGN" as const } }],
    ["with a session id of 5,000 characters", { sessionId: "s".repeat(5_000) }],
  ])("%s is quarantined and not retried, and operators get an alert", async (_what, changes) => {
    const noticeId = `ntc_${Math.random()}`;
    await takeNotice(systemContext("test"), "sandbox", noticeOf(link, { ...changes, noticeId }));
    const [row] = await sql()<{ quarantined_because: string | null; next_attempt_at: string | null }[]>`
      select quarantined_because, next_attempt_at from provider_notices where notice_id = ${noticeId}`;
    expect(row).toEqual({ quarantined_because: expect.any(String), next_attempt_at: null });
    expect(await operatorAlerts(noticeId)).toEqual([{ type: "bank_notice.quarantined" }]);
    expect(await retryNotices(systemContext("test"))).toBe(0);
    await expectInvariantsToHold();
  });

  test("with characters that PostgreSQL cannot store credits the exact payment", async () => {
    const notice = {
      id: `ntc_${Math.random()}`,
      session: `ses\u0000sion-${Math.random()}`,
      reference: link.reference,
      account_no: link.accountNumber,
      kobo: String(naira(5_000).minor),
      from: "Ch\ud800idi\u0000 Eze",
      made_at: new Date().toISOString(),
      sent_back: null,
    };
    const body = JSON.stringify(notice);
    const headers = { "content-type": "application/json", "x-sandbox-signature": sign(sandboxNoticeSecret(), body) };
    const reply = await request(`${app.url}/api/providers/sandbox/notices`, { method: "POST", headers, body });
    expect(reply.statusCode).toBe(200);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect((await currentLink()).transfers).toMatchObject([{ senderName: "Ch\ufffdidi\ufffd Eze", disposition: "accepted" }]);
    await expectInvariantsToHold();
  });
});

test("a signed notice that its adapter cannot read is refused, so that the bank sends it again, and operators get an alert", async () => {
  const body = JSON.stringify({ id: "ntc_x", session: "s", reference: link.reference, account_no: link.accountNumber, kobo: "-5" });
  const headers = { "content-type": "application/json", "x-sandbox-signature": sign(sandboxNoticeSecret(), body) };
  const url = `${app.url}/api/providers/sandbox/notices`;
  const replies = await Promise.all(times(3, () => request(url, { method: "POST", headers, body })));
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([401, 401, 401]);
  expect((await operatorAlerts("sandbox")).map(({ type }) => type)).toContain("notice.unreadable");
});

test("operators get one alert a day about a bank that does not confirm a return", async () => {
  const wrong = noticeOf(link, { amount: naira(1_234) });
  await hear(wrong);
  const { id } = await transferOf(wrong);
  for (let n = 0; n < 9; n++) {
    await sql()`update bank_transfers set next_return_at = now() - interval '1 second' where id = ${id}`;
    await returnOwedTransfers(systemContext("test"));
    expect(await operatorAlerts(id)).toHaveLength(n < 6 ? 0 : 1);
  }
  expect((await listSuspense(anOperator)).filter((each) => each.id === id)).toMatchObject([{ kind: "return", amount: naira(1_234) }]);
});

test("a return that two workers ask for, because one of them stalled, leaves suspense once", async () => {
  const wrong = noticeOf(link, { amount: naira(1_234) });
  await keepAtSandboxBank(wrong);
  await hear(wrong);
  const bank = banks.named("sandbox");
  if (!bank) throw new Error("no bank");
  const { returnTransfer } = bank;
  const stalled = vi.spyOn(bank, "returnTransfer").mockImplementationOnce(async (transfer) => {
    // The lease of this worker ends, and another worker asks the bank and confirms the return first.
    await sql()`update bank_transfers set next_return_at = now() - interval '1 second' where session_id = ${transfer.sessionId}`;
    expect(await returnOwedTransfers(systemContext("test"))).toBe(1);
    return returnTransfer(transfer);
  });
  await returnOwedTransfers(systemContext("test"));
  stalled.mockRestore();
  expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
  await expectInvariantsToHold();
});

test("an operator can have the bank send unmatched money back, and the money leaves suspense when the bank confirms", async () => {
  const before = await accountBalance("mer_platform_test", "suspense");
  const stray = noticeOf({ ...link, accountNumber: "0000000000" }, { amount: naira(77) });
  await keepAtSandboxBank(stray);
  await hear(stray);
  const { id } = await transferOf(stray);
  expect((await listSuspense(anOperator)).filter((each) => each.id === id)).toMatchObject([{ kind: "unmatched", amount: naira(77) }]);
  expect(await decidedByTwo((by) => returnUnmatched(by, id, "Nobody claims it."))).toBe(true);
  expect(await decidedByTwo((by) => returnUnmatched(by, id, "Again."))).toBe(false);
  await expectInvariantsToHold();
  await returnOwedTransfers(systemContext("test"));
  expect(await accountBalance("mer_platform_test", "suspense")).toBe(before);
  expect(await sql()`select subject, reason from audit_entries where action = 'suspense.returned' and subject = ${id}`).toEqual([
    { subject: id, reason: "Nobody claims it." },
  ]);
  await expectInvariantsToHold();
});

test("a notice that cannot even be quarantined is kept, and delays no other notice", async () => {
  const bad = { ...noticeOf(link), noticeId: "ntc_unquarantinable", sessionId: "" };
  await sql()`alter table alerts add constraint no_alert check (resource_id <> 'ntc_unquarantinable')`;
  try {
    await takeNotice(systemContext("test"), "sandbox", bad);
    await sql()`
      insert into provider_notices (provider, notice_id, payload_hash, payload, next_attempt_at)
      select provider, 'ntc_good', 'h', jsonb_set(jsonb_set(payload, '{sessionId}', '"s_good"'), '{noticeId}', '"ntc_good"'), now()
      from provider_notices where notice_id = 'ntc_unquarantinable'`;
    await sql()`update provider_notices set next_attempt_at = now() - interval '1 s' where notice_id = 'ntc_unquarantinable'`;
    expect(await retryNotices(systemContext("test"))).toBe(2);
  } finally {
    await sql()`alter table alerts drop constraint no_alert`;
  }
  const [kept] = await sql()`select processed_at, quarantined_because from provider_notices where notice_id = 'ntc_unquarantinable'`;
  expect(kept).toEqual({ processed_at: null, quarantined_because: null });
  expect((await currentLink()).status).toBe("success");
  await expectInvariantsToHold();
});
