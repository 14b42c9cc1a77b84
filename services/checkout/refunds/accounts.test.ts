import { describe, expect, test, vi } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { addToWallet } from "../../cards/cards.fixture.ts";
import { strangerContext, systemContext } from "../../context.ts";
import { expireRefundsOf } from "../../expire-refunds-of.ts";
import { aMember, asMember } from "../../members/member.fixture.ts";
import { aLiveMerchant, aMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { getPayoutRoom, setPayoutLimits } from "../../payouts/index.ts";
import { anAccountNumber, FAILED, orderPayoutFault } from "../../payouts/payouts.fixture.ts";
import { withProof } from "../../proven.ts";
import { mailsTo } from "../../users/users.fixture.ts";
import { walletOf } from "../../vtu/vtu.fixture.ts";
import { aLink, eventTypesOf, noticeOf } from "../checkout.fixture.ts";
import {
  cancelRefund,
  confirmRefundAccount,
  createRefund,
  endExpiredRefunds,
  findRefundOfLink,
  giveRefundAccount,
  listBanksForRefund,
  nameRefundAccount,
  recordRecall,
  resolveDueRefunds,
} from "../index.ts";
import type { RefundRow, RefundStatus } from "../refund.ts";
import { readDueAccounts } from "../transfers/read-accounts.ts";
import { receiveTransfer } from "../transfers/receive-transfer.ts";
import { readCandidate } from "./give-account.ts";
import type { RefundKey } from "./refund-rows.ts";
import { aPaidLink, aWaitingRefund, letRefundAge, linkNow, makeRefundDue, refundNow, refundOrdersAt } from "./refunds.fixture.ts";
import { settleRefund } from "./settle-refund.ts";

const paystack = withPaystack();
withDatabase();
withApp();

const system = systemContext("test");
const payer = strangerContext("payer");
const REFUSED = { code: "VALIDATION_ERROR" };
const PRICE = 5_000;
const kobo = (amount: number) => BigInt(amount) * 100n;

/** A merchant whose bank tells no account and refunds nothing. */
const aPlainShop = () => aMerchant({ bank: "sandbox-plain" });

/** Names an account by the link of a mail. */
async function give(token: string, accountNumber = anAccountNumber(), bankCode = "00A"): Promise<void> {
  await giveRefundAccount(payer, token, await nameRefundAccount(payer, token, { bankCode, accountNumber }));
}

/** Reads a refund from its bank until it has this status, and returns it. */
const settledAtBank = (refund: RefundKey, status: RefundStatus): Promise<RefundRow> =>
  until(async () => {
    await makeRefundDue(refund);
    await resolveDueRefunds(system);
    const row = await refundNow(refund);
    return row.status === status && row;
  }, 20_000);

/** Returns the name that the sandbox's banks have of an account. */
const nameOf = (accountNumber: string) => `TEST ACCOUNT ${accountNumber.slice(-4)}`;

/** Gives the payment of a refund a sender. The plain bank tells none. */
const setSender = (shop: TestMerchant, name: string) =>
  sql()`update bank_transfers set sender_name = ${name} where merchant_id = ${shop.merchant.id}`;

describe("a refund whose payer's account the bank does not tell", () => {
  test("holds its money, and mails the customer a link that works once", async () => {
    const shop = await aPlainShop();
    const email = `amina-${Date.now()}@example.com`;
    const link = await aPaidLink(shop, { email });
    const { refund, token } = await aWaitingRefund(shop, link, 2_000);
    expect(refund).toMatchObject({ status: "needs_account", route: "payout", provider: "sandbox-plain", orderedAt: null });
    expect((refund.expiresAt?.getTime() ?? 0) - Date.now()).toBeGreaterThan(71.9 * 3_600_000);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: kobo(2_000) });
    expect((await linkNow(link)).refunding).toEqual(naira(2_000));
    const [mail] = await mailsTo(email);
    expect(mail?.text).toContain(`/refund-account?token=${token}`);
    expect(mail?.text).toContain("This is a test");
    await setSender(shop, "Test Account 4417");
    await give(token, anAccountNumber("4417"));
    const paid = await settledAtBank(refund, "paid");
    expect(paid).toMatchObject({
      accountName: "TEST ACCOUNT 4417",
      bankName: "Harbour Bank (test)",
      awaitsOwner: false,
      confirmedBy: null,
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(3_000), held: 0n });
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.refund_paid"]);
    await expect(give(token)).rejects.toMatchObject(REFUSED);
    expect(await refundOrdersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("is not asked for without the customer's email, and holds nothing then", async () => {
    const shop = await aPlainShop();
    const link = await aPaidLink(shop, { email: null });
    const refused = createRefund(shop.ctx, { reference: link.reference });
    await expect(refused).rejects.toMatchObject({ ...REFUSED, message: expect.stringContaining("no customer_email") });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
  });

  test("named by ten at once has one account and one order", async () => {
    const shop = await aPlainShop();
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    await setSender(shop, "Test Account 4417");
    const sealed = await Promise.all(
      times(10, () => nameRefundAccount(payer, token, { bankCode: "00A", accountNumber: anAccountNumber("4417") })),
    );
    const answers = await Promise.allSettled(sealed.map((one) => giveRefundAccount(payer, token, one)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await settledAtBank(refund, "paid");
    expect(await refundOrdersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("takes no account that was not named by its bank for this link: another's, changed or old", async () => {
    const shop = await aPlainShop();
    const [one, other] = [await aWaitingRefund(shop, await aPaidLink(shop)), await aWaitingRefund(shop, await aPaidLink(shop))];
    const sealed = await nameRefundAccount(payer, one.token, { bankCode: "00A", accountNumber: anAccountNumber() });
    for (const bad of [`${sealed.slice(0, 20)}${sealed[20] === "A" ? "B" : "A"}${sealed.slice(21)}`, "v1.x.y", ""])
      await expect(giveRefundAccount(payer, one.token, bad)).rejects.toMatchObject(REFUSED);
    await expect(giveRefundAccount(payer, other.token, sealed)).rejects.toMatchObject(REFUSED);
    expect(readCandidate(one.token, sealed)).toMatchObject({ accountName: expect.stringMatching(/^TEST ACCOUNT/) });
    for (const token of ["", "x".repeat(40), one.token.replace(/.$/, "0"), one.token.replace("rfd_", "po_")]) {
      if (token === one.token) continue;
      expect(await findRefundOfLink(token)).toBeUndefined();
      await expect(nameRefundAccount(payer, token, { bankCode: "00A", accountNumber: anAccountNumber() })).rejects.toMatchObject(REFUSED);
      expect(await listBanksForRefund(token)).toBeUndefined();
    }
    expect((await refundNow(one.refund)).accountNumber).toBeNull();
  });

  test("names accounts twenty times and no more, so that the link is no directory of accounts", async () => {
    const shop = await aPlainShop();
    const { token } = await aWaitingRefund(shop, await aPaidLink(shop));
    const answers = await Promise.allSettled(
      times(25, () => nameRefundAccount(payer, token, { bankCode: "00A", accountNumber: anAccountNumber() })),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
  });

  test("counts no question that was not put to a bank, and takes one back that the bank did not answer", async () => {
    const shop = await aPlainShop();
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    await Promise.allSettled(times(25, () => nameRefundAccount(payer, token, { bankCode: "ZZZ", accountNumber: anAccountNumber() })));
    const silent = anAccountNumber();
    await orderPayoutFault("sandbox-plain", "beneficiary", "error_before", silent);
    await expect(nameRefundAccount(payer, token, { bankCode: "00A", accountNumber: silent })).rejects.toMatchObject({
      errors: [{ param: "account_number" }],
    });
    expect((await refundNow(refund)).lookups).toBe(0);
    expect(await findRefundOfLink(token)).toMatchObject({ isOpen: true });
  });

  test("is asked for at one address five times a day, by whatever refunds, and the sixth holds nothing", async () => {
    const shop = await aPlainShop();
    const email = `flooded-${Date.now()}@example.com`;
    const link = await aPaidLink(shop, { email });
    for (const _ of times(5, async () => {})) {
      const { refund } = await aWaitingRefund(shop, link, 100);
      await cancelRefund(asMember(shop.ctx, await aMember(shop.merchant.businessId, "admin")), refund.id);
    }
    await expect(aWaitingRefund(shop, link, 100)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(await mailsTo(email)).toHaveLength(5);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
  });

  test("leaves within the limits of the day on which it is ordered, and can be named again the next day", async () => {
    const shop = await aPlainShop();
    const waiting = [await aWaitingRefund(shop, await aPaidLink(shop)), await aWaitingRefund(shop, await aPaidLink(shop))];
    await sql()`update refunds set created_at = created_at - interval '2 days' where merchant_id = ${shop.merchant.id}`;
    await setSender(shop, "Test Account 4417");
    await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(PRICE), maxADay: naira(PRICE), delayMs: 0 });
    const [one, other] = waiting;
    await give(one?.token ?? "", anAccountNumber("4417"));
    await expect(give(other?.token ?? "", anAccountNumber("4417"))).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining("tomorrow"),
    });
    await sql()`update refunds set ordered_at = ordered_at - interval '1 day' where merchant_id = ${shop.merchant.id} and ordered_at is not null`;
    await give(other?.token ?? "", anAccountNumber("4417"));
    expect(await refundOrdersAt(shop)).toBe(2);
    await expectInvariantsToHold();
  });

  test("says at the field what is wrong with an unknown bank or number", async () => {
    const shop = await aPlainShop();
    const { token } = await aWaitingRefund(shop, await aPaidLink(shop));
    const name = (bankCode: string, accountNumber: string) => nameRefundAccount(payer, token, { bankCode, accountNumber });
    await expect(name("99X", anAccountNumber())).rejects.toMatchObject({ errors: [{ param: "bank_code" }] });
    await expect(name("00A", anAccountNumber("4040"))).rejects.toMatchObject({ errors: [{ param: "account_number" }] });
  });

  test("fails after 72 hours without an account, and gives its money back once", async () => {
    const shop = await aPlainShop();
    const link = await aPaidLink(shop);
    const { refund, token } = await aWaitingRefund(shop, link);
    await sql()`update refunds set expires_at = now() - interval '1 second' where id = ${refund.id} and merchant_id = ${shop.merchant.id}`;
    await expect(give(token)).rejects.toMatchObject(REFUSED);
    await Promise.all(times(5, () => endExpiredRefunds(system)));
    expect(await refundNow(refund)).toMatchObject({
      status: "failed",
      failureReason: "The customer named no account in time.",
      expiresAt: null,
      nextAttemptAt: null,
    });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
    expect((await linkNow(link)).refunding).toEqual(naira(0));
    expect(await eventTypesOf(shop)).toEqual(["checkout.success", "checkout.refund_failed"]);
    expect((await findRefundOfLink(token))?.status).toBe("failed");
    await expectInvariantsToHold();
  });

  test("fails at once where the bank takes the payment back, and its link then takes no account", async () => {
    const shop = await aPlainShop();
    const link = await aPaidLink(shop);
    const { refund, token } = await aWaitingRefund(shop, link, 2_000);
    const [transfer] = link.transfers;
    if (!transfer) throw new Error("nobody paid");
    await receiveTransfer("sandbox-plain", noticeOf(link, { ...transfer, accountNumber: null, returnedBecause: "recalled" }));
    expect(await refundNow(refund)).toMatchObject({ status: "failed", failureReason: "The bank took the payment back." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expect(give(token)).rejects.toMatchObject(REFUSED);
    await expectInvariantsToHold();
  });

  test("takes no account while the merchant is suspended, and takes one afterwards", async () => {
    const shop = await aPlainShop();
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    await sql()`update merchants set status = 'suspended' where id = ${shop.merchant.id}`;
    await expect(give(token)).rejects.toMatchObject(REFUSED);
    await sql()`update merchants set status = 'active' where id = ${shop.merchant.id}`;
    await setSender(shop, "Test Account 4417");
    await give(token, anAccountNumber("4417"));
    expect((await refundNow(refund)).orderedAt).not.toBeNull();
  });

  test.each([
    ["0000", "failed"],
    ["2222", "failed"],
    ["1111", "paid"],
  ] as const)("to an account that ends in %s ends as %s, and is never ordered again", async (ending, end) => {
    const shop = await aPlainShop();
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    await setSender(shop, `Test Account ${ending}`);
    await give(token, anAccountNumber(ending));
    await settledAtBank(refund, end);
    expect(await refundOrdersAt(shop)).toBe(1);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: end === "paid" ? 0n : kobo(PRICE), held: 0n });
    await expectInvariantsToHold();
  });

  test("that was named long after it was made is not taken for one that its bank never received", async () => {
    const shop = await aPlainShop();
    const { refund, token } = await aWaitingRefund(shop, await aPaidLink(shop));
    await sql()`update refunds set created_at = created_at - interval '2 days' where id = ${refund.id} and merchant_id = ${shop.merchant.id}`;
    await setSender(shop, "Test Account 1111");
    await give(token, anAccountNumber("1111"));
    await sql()`delete from sandbox.payouts where reference = ${refund.id.toLowerCase()}`;
    await makeRefundDue(refund);
    await resolveDueRefunds(system);
    expect((await refundNow(refund)).status).toBe("processing");
    await letRefundAge(refund);
    await resolveDueRefunds(system);
    expect(await refundNow(refund)).toMatchObject({ status: "failed", failureReason: "The bank never received it." });
    await expectInvariantsToHold();
  });
});

describe("an account with another name than the payer's", () => {
  async function awaiting() {
    const shop = await aPlainShop();
    const link = await aPaidLink(shop);
    const { refund, token } = await aWaitingRefund(shop, link, 2_000);
    await setSender(shop, "Ngozi Eze");
    const number = anAccountNumber("4417");
    await give(token, number);
    const [owner, admin] = [await aMember(shop.merchant.businessId, "owner"), await aMember(shop.merchant.businessId, "admin")];
    return { shop, link, refund, token, number, owner: asMember(shop.ctx, owner), admin: asMember(shop.ctx, admin) };
  }

  test("waits for an owner, who is alerted, and nothing is sent meanwhile", async () => {
    const { shop, refund, token, number } = await awaiting();
    expect(await refundNow(refund)).toMatchObject({
      status: "needs_account",
      awaitsOwner: true,
      accountName: nameOf(number),
      orderedAt: null,
    });
    const alerts = await sql()`select type, message from alerts where merchant_id = ${shop.merchant.id}`;
    expect(alerts).toEqual([{ type: "refund.waiting", message: expect.stringContaining("TEST ACCOUNT 4417") }]);
    expect(await refundOrdersAt(shop)).toBe(0);
    await expect(give(token)).rejects.toMatchObject(REFUSED);
    await expectInvariantsToHold();
  });

  test("only an owner agrees to it, and five who agree at once agree once", async () => {
    const { shop, refund, owner, admin } = await awaiting();
    await expect(confirmRefundAccount(admin, refund.id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    await expect(confirmRefundAccount(shop.ctx, refund.id)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const elsewhere = await aPlainShop();
    const stranger = asMember(elsewhere.ctx, await aMember(elsewhere.merchant.businessId, "owner"));
    await expect(confirmRefundAccount(stranger, refund.id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    const answers = await Promise.allSettled(times(5, () => confirmRefundAccount(owner, refund.id)));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const paid = await settledAtBank(refund, "paid");
    expect(paid.confirmedBy).toBe(`member:${owner.actor.id}`);
    const notes = await sql()`select action from audit_entries where subject = ${refund.id}`;
    expect(notes).toEqual([{ action: "refund.account_confirmed" }]);
    expect(await refundOrdersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("fails after a week without a decision, and on cancelling at once, which alerts nobody", async () => {
    const { shop, refund, owner, admin } = await awaiting();
    await sql()`update refunds set expires_at = now() - interval '1 second' where id = ${refund.id} and merchant_id = ${shop.merchant.id}`;
    await expect(confirmRefundAccount(owner, refund.id)).rejects.toMatchObject(REFUSED);
    await endExpiredRefunds(system);
    expect((await refundNow(refund)).failureReason).toBe("No owner agreed to the account in time.");
    const next = await awaiting();
    expect(await cancelRefund(next.admin, next.refund.id)).toMatchObject({ status: "failed", failureReason: "It was cancelled." });
    await expect(cancelRefund(next.admin, next.refund.id)).rejects.toMatchObject(REFUSED);
    await expect(cancelRefund(admin, next.refund.id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    const alerts = await sql()`select type from alerts where merchant_id = ${next.shop.merchant.id}`;
    expect(alerts).toEqual([{ type: "refund.waiting" }]);
    await expectInvariantsToHold();
  });

  test("is agreed to or cancelled, never both", async () => {
    const rounds = await Promise.all(times(4, awaiting));
    await Promise.allSettled(
      rounds.flatMap(({ owner, admin, refund }) => [confirmRefundAccount(owner, refund.id), cancelRefund(admin, refund.id)]),
    );
    for (const { refund, shop } of rounds) {
      const { status } = await refundNow(refund);
      expect(await refundOrdersAt(shop)).toBe(status === "failed" ? 0 : 1);
    }
    await expectInvariantsToHold();
  });

  test("is not agreed to while banks may still take the payment back", async () => {
    const { shop, refund, owner } = await awaiting();
    await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(PRICE), maxADay: naira(PRICE), delayMs: 86_400_000 });
    await expect(confirmRefundAccount(owner, refund.id)).rejects.toMatchObject({
      ...REFUSED,
      message: expect.stringContaining("Agree from"),
    });
    await sql()`update bank_transfers set created_at = created_at - interval '25 hours' where merchant_id = ${shop.merchant.id}`;
    expect((await confirmRefundAccount(owner, refund.id)).status).not.toBe("needs_account");
  });

  test("that its maker has asked for ends when the maker says that somebody else was in the account", async () => {
    const shop = await aPlainShop();
    const thief = await aMember(shop.merchant.businessId, "admin");
    const since = new Date(Date.now() - 60_000);
    const { id } = await createRefund(asMember(shop.ctx, thief), { reference: (await aPaidLink(shop)).reference });
    const [other] = [await aWaitingRefund(shop, await aPaidLink(shop))];
    expect(await transaction((tx) => expireRefundsOf(tx, { userId: thief.userId, since }))).toEqual([{ merchantId: shop.merchant.id, id }]);
    await endExpiredRefunds(system);
    expect((await refundNow({ merchantId: shop.merchant.id, id })).status).toBe("failed");
    expect((await refundNow(other.refund)).status).toBe("needs_account");
    await expectInvariantsToHold();
  });

  test("needs a second factor in live mode, and so does every refund by a person", async () => {
    const shop = await aLiveMerchant({ bank: "paystack" });
    const owner = asMember(shop.ctx, await aMember(shop.merchant.businessId, "owner"));
    for (const ctx of [owner, withProof(owner, "pay_out"), withProof(owner, "manage_payouts", { hasSecondFactor: true })]) {
      await expect(createRefund(ctx, { reference: "X" })).rejects.toThrow();
      await expect(confirmRefundAccount(ctx, "rfd_x")).rejects.not.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    }
    const proven = withProof(owner, "pay_out", { hasSecondFactor: true });
    await expect(createRefund(proven, { reference: "X" })).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(confirmRefundAccount(proven, "rfd_x")).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });
});

describe("a payment at Paystack", () => {
  async function paid() {
    const shop = await aLiveMerchant({ bank: "paystack" });
    const link = await aLink(shop);
    await paystack.pay(link.accountNumber, PRICE * 100);
    const [notice] = paystack.notices.slice(-1);
    const { data } = JSON.parse(notice?.body ?? "{}") as { data: { id: number; paid_at: string } };
    const arrived = noticeOf(link, {
      sessionId: String(data.id),
      accountNumber: null,
      receivedAt: new Date(data.paid_at),
      senderName: "CHIDI OKAFOR",
    });
    await receiveTransfer("paystack", arrived);
    return { shop, link };
  }

  async function readAgain({ reference }: Awaited<ReturnType<typeof paid>>["link"]) {
    await sql()`update one_time_accounts set next_read_at = now() - interval '1 second' where account_reference = ${reference}`;
    await readDueAccounts(system);
  }

  test("that is refunded in full reads as reversed there, and is no recall here", async () => {
    const { shop, link } = await paid();
    const refund = await createRefund(shop.ctx, { reference: link.reference });
    expect(refund).toMatchObject({ status: "processing", route: "bank" });
    await settledAtBank(refund, "paid");
    expect(await refundNow(refund)).toMatchObject({ bankReference: expect.stringMatching(/^\d+$/) });
    await readAgain(link);
    expect(await linkNow(link)).toMatchObject({ status: "success", recalledAt: null, refunded: naira(PRICE) });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expectInvariantsToHold();
  });

  test("is not taken back while a refund of it may be what Paystack shows, and later it is", async () => {
    const { shop, link } = await paid();
    const refund = await createRefund(shop.ctx, { reference: link.reference });
    // Paystack shows the effect of a refund before it lists the refund.
    const list = vi.spyOn(paystack.books, "listRefunds").mockReturnValue({ status: 200, body: { status: true, data: [] } });
    paystack.books.reverse(link.reference);
    await readAgain(link);
    expect((await linkNow(link)).recalledAt).toBeNull();
    await settleRefund(refund, FAILED, (await refundNow(refund)).fencingToken);
    await letRefundAge(refund);
    await readAgain(link);
    expect((await linkNow(link)).recalledAt).not.toBeNull();
    list.mockRestore();
  });

  test("of which a part was refunded and which is then disputed alerts operators, who book the recall once", async () => {
    const { shop, link } = await paid();
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(1) });
    await settledAtBank(refund, "paid");
    paystack.books.reverse(link.reference);
    await readAgain(link);
    expect((await linkNow(link)).recalledAt).toBeNull();
    const alerts = await sql()`select merchant_id, type from alerts where resource_id = ${link.id}`;
    expect(alerts).toEqual([{ merchant_id: "mer_platform_live", type: "bank_account.unclear" }]);
    const reason = "They wrote";
    await expect(decidedByTwo((by) => recordRecall(by, shop.merchant.id, link.id, { reason }))).rejects.toThrow(
      /^Our own refunds sent ₦1\.00 of it back/,
    );
    expect((await linkNow(link)).recalledAt).toBeNull();
    const answers = await Promise.allSettled(
      times(5, () => decidedByTwo((by) => recordRecall(by, shop.merchant.id, link.id, { reason, besidesRefunds: true }))),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await linkNow(link)).recalledAt).not.toBeNull();
    expect(await decidedByTwo((by) => recordRecall(by, shop.merchant.id, "pl_none", { reason }))).toBe(false);
    await expectInvariantsToHold();
  });

  test("with two equal refunds has two, also where lists of refunds have no notes", async () => {
    const { shop, link } = await paid();
    const noteless = (id: string) => {
      const answer = listRefunds(id);
      const data = (answer.body as { data: object[] }).data.map((row) => ({ ...row, merchant_note: null }));
      return { ...answer, body: { ...answer.body, data } };
    };
    const listRefunds = paystack.books.listRefunds.bind(paystack.books);
    const list = vi.spyOn(paystack.books, "listRefunds").mockImplementation(noteless);
    const [one, two] = [
      await createRefund(shop.ctx, { reference: link.reference, amount: naira(500) }),
      await createRefund(shop.ctx, { reference: link.reference, amount: naira(500) }),
    ];
    await settledAtBank(one, "paid");
    await settledAtBank(two, "paid");
    list.mockRestore();
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE - 1_000), held: 0n });
  });

  test("whose refund is on no list any more, or on one that may leave some out, is never taken for one that was not made", async () => {
    const { shop, link } = await paid();
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(500) });
    const row = {
      id: 1,
      transaction: Number((await refundNow(refund)).transferSessionId),
      amount: 100,
      status: "processed",
      merchant_note: "x",
    };
    const list = vi.spyOn(paystack.books, "listRefunds");
    for (const data of [[], Array.from({ length: 100 }, () => row)]) {
      list.mockReturnValue({ status: 200, body: { status: true, data } });
      await letRefundAge(refund);
      await resolveDueRefunds(system);
      expect((await refundNow(refund)).status).toBe("processing");
    }
    list.mockRestore();
  });

  test("has at most thirty refunds", async () => {
    const { shop, link } = await paid();
    for (const _ of Array.from({ length: 30 })) await createRefund(shop.ctx, { reference: link.reference, amount: naira(1) });
    await expect(createRefund(shop.ctx, { reference: link.reference, amount: naira(1) })).rejects.toMatchObject(REFUSED);
    await expectInvariantsToHold();
  });

  test("whose refund failed there gives the money back", async () => {
    const { shop, link } = await paid();
    paystack.books.endNextRefund("failed");
    const refund = await createRefund(shop.ctx, { reference: link.reference, amount: naira(1_000) });
    expect(refund).toMatchObject({ status: "failed", failureReason: "The payer's bank did not take it." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: kobo(PRICE), held: 0n });
    await expectInvariantsToHold();
  });

  test("can be refunded within the delay of payouts, and what is left of it still waits", async () => {
    const { shop, link } = await paid();
    await addToWallet(shop, naira(1_000));
    await createRefund(shop.ctx, { reference: link.reference, amount: naira(2_000) });
    const { payable, fresh } = await getPayoutRoom(shop.ctx);
    expect({ payable, fresh }).toEqual({ payable: naira(1_000), fresh: naira(3_000) });
  });
});
