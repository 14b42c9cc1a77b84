import { randomBytes } from "node:crypto";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import { until } from "#testing/until.ts";
import { describePayoutBank } from "../payout-bank.conformance.ts";
import type { PayoutBank, PayoutOrder } from "../payout-bank.ts";
import { monnifyPayoutBank } from "./payout-bank.ts";

const monnify = withMonnify();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const bankAt = (url: string) =>
  monnifyPayoutBank({ url, apiKey: monnify.apiKey, secretKey: monnify.secretKey, sourceAccount: monnify.sourceAccount });
let payouts: PayoutBank;
beforeAll(async () => {
  payouts = bankAt(monnify.url);
  // It logs in, so that faults and changes meet later answers.
  expect((await payouts.listBanks()).status).toBe("found");
});

const PAY = "/api/v2/disbursements/single";
const READ = `${PAY}/summary`;

describePayoutBank("monnify", () => ({
  bank: payouts,
  unreachable: bankAt(NOWHERE),
  bankCode: "058",
  accounts: {
    ...{ paid: "0123454417", failed: "0123450000", paidLater: "0123451111", failedLater: "0123452222" },
    ...{ reversed: "0123455555", none: "0123454040" },
  },
  loseNextAnswer: () => {
    monnify.wire.failNext({ path: PAY, kind: "lost", method: "POST" });
    monnify.wire.failNext({ path: READ, kind: "lost", method: "GET" });
  },
  changeNextAnswer: (change) => monnify.wire.changeNextAnswer(change),
}));

let accounts = 0;
const orderTo = (changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
  ...{ reference: `po_${randomBytes(16).toString("hex")}`, amount: naira(2_500.5), bankCode: "058", accountName: "OWNER" },
  ...{ accountNumber: `0${String(accounts++).padStart(5, "0")}4417`, narration: "Week 47" },
  ...changes,
});

test("an order names both accounts, our reference, and Naira as a number", async () => {
  const order = orderTo();
  expect(await payouts.pay(order)).toEqual({ status: "paid", sessionId: null });
  expect(monnify.wire.bodies[monnify.wire.requests.lastIndexOf(`POST ${PAY}`)]).toEqual({
    ...{ amount: 2_500.5, reference: order.reference, narration: "Week 47", currency: "NGN", sourceAccountNumber: monnify.sourceAccount },
    ...{ destinationBankCode: "058", destinationAccountNumber: order.accountNumber, destinationAccountName: "OWNER" },
  });
});

test("a second order with the reference of a payout is answered with that payout, and pays nothing", async () => {
  const order = orderTo();
  await payouts.pay(order);
  expect((await payouts.pay(order)).status).toBe("paid");
  expect(monnify.payouts.timesPaid(order.accountNumber)).toBe(1);
});

test("an order that waits for a one-time password is pending, and says what an operator must do", async () => {
  monnify.payouts.askForOtp(true);
  onTestFinished(() => monnify.payouts.askForOtp(false));
  expect(await payouts.pay(orderTo())).toEqual({ status: "pending", needs: expect.stringContaining("one-time passwords") });
});

test("an order that Monnify has taken and answered by 401 is unknown where no login succeeds after that, and is then found", async () => {
  const order = orderTo();
  const take = monnify.payouts.single.bind(monnify.payouts);
  const single = vi.spyOn(monnify.payouts, "single").mockImplementationOnce((body) => {
    take(body);
    monnify.expireTokens();
    monnify.wire.failNext({ path: "/api/v1/auth/login", kind: "html" });
    monnify.wire.failNext({ path: "/api/v1/auth/login", kind: "html" });
    return { status: 401, body: { error: "invalid_token" } };
  });
  onTestFinished(() => single.mockRestore());
  expect(await payouts.pay(order)).toEqual({ status: "unknown" });
  expect((await payouts.readPayout(order)).status).toBe("paid");
  expect(monnify.payouts.timesPaid(order.accountNumber)).toBe(1);
});

test("an order that Monnify gave up is failed", async () => {
  const order = orderTo({ accountNumber: "0123456666" });
  expect((await payouts.pay(order)).status).toBe("pending");
  expect(await payouts.readPayout(order)).toEqual({ status: "failed", reason: "The bank gave it up." });
});

test.each([400, 401, 403, 404, 422, 429, 500])(
  "an order that is answered by %i, and that a reading does not find, is unknown, because its money may be on its way",
  async (status) => {
    const order = orderTo();
    const single = vi.spyOn(monnify.payouts, "single");
    onTestFinished(() => single.mockRestore());
    single.mockReturnValue({ status, body: { requestSuccessful: false, responseMessage: "Refused", responseCode: "99" } });
    expect(await payouts.pay(order)).toEqual({ status: "unknown" });
    expect(await payouts.readPayout(order)).toEqual({ status: "not_found" });
  },
);

test("an order that exceeds the balance is unknown until it is not found for an hour", async () => {
  monnify.payouts.setBalance(0);
  onTestFinished(() => monnify.payouts.setBalance(1_000_000_000_00));
  const order = orderTo();
  expect(await payouts.pay(order)).toEqual({ status: "unknown" });
  expect(await payouts.readPayout(order)).toEqual({ status: "not_found" });
  expect(payouts.capabilities.visibleWithinMs).toBe(3_600_000);
});

test.each(["lost", "cut", "html", "error", "empty", "long", "busy"] as const)(
  "an order whose answer is %s is ordered once",
  async (kind) => {
    const order = orderTo();
    monnify.wire.failNext({ path: PAY, kind, method: "POST" });
    expect(["unknown", "paid", "pending"]).toContain((await payouts.pay(order)).status);
    const final = await until(async () => {
      const reading = await payouts.readPayout(order);
      if (reading.status === "not_found") await payouts.pay(order);
      return reading.status === "paid" && reading;
    });
    expect(final.status).toBe("paid");
    expect(monnify.payouts.timesPaid(order.accountNumber)).toBe(1);
  },
);

test.each(["cut", "html", "error", "empty", "long", "busy"] as const)(
  "a reading whose answer is %s says unknown, and never that there is no payout",
  async (kind) => {
    const order = orderTo();
    await payouts.pay(order);
    monnify.wire.failNext({ path: READ, kind });
    expect(await payouts.readPayout(order)).toEqual({ status: "unknown" });
  },
);

test("an order that is answered by 200 is paid only if the answer is about it", async () => {
  for (const change of [
    (value: unknown) => (String(value).startsWith("po_") ? "po_another" : value),
    (value: unknown) => (value === 2_500.5 ? 250_050 : value),
    (value: unknown) => (value === 2_500.5 ? "2,500.50" : value),
    (value: unknown) => (value === "NGN" ? "USD" : value),
    (value: unknown) => (/^0\d{5}4417$/.test(String(value)) ? "0123456789" : value),
  ]) {
    const order = orderTo();
    monnify.wire.changeNextAnswer(change);
    monnify.wire.failNext({ path: READ, kind: "error" });
    expect(await payouts.pay(order)).toEqual({ status: "unknown" });
    expect((await payouts.readPayout(order)).status).toBe("paid");
  }
});

test.each([
  [404, { requestSuccessful: false, responseMessage: "Transaction not found", responseCode: "99" }, "not_found"],
  [400, { requestSuccessful: false, responseMessage: "Transaction not found", responseCode: "99" }, "unknown"],
  [404, { status: 404, error: "Not Found" }, "unknown"],
])("a reading that answers %i %j says %s", async (status, body, outcome) => {
  const summary = vi.spyOn(monnify.payouts, "summary");
  onTestFinished(() => summary.mockRestore());
  summary.mockReturnValueOnce({ status, body });
  expect(await payouts.readPayout(orderTo())).toEqual({ status: outcome });
});

test.each([202, 424, 500])("a reading that answers %i decides nothing, although it says SUCCESS", async (status) => {
  const order = orderTo();
  await payouts.pay(order);
  const { body } = monnify.payouts.summary(order.reference);
  expect(body).toMatchObject({ responseBody: { status: "SUCCESS" } });
  const summary = vi.spyOn(monnify.payouts, "summary").mockReturnValueOnce({ status, body });
  onTestFinished(() => summary.mockRestore());
  expect(await payouts.readPayout(order)).toEqual({ status: "unknown" });
});
