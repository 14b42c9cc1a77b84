import { randomBytes } from "node:crypto";
import { expect, test, vi } from "vitest";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { until } from "#testing/until.ts";
import { describePayoutBank } from "../payout-bank.conformance.ts";
import type { PayoutOrder } from "../payout-bank.ts";
import { squadPayoutBank } from "./payout-bank.ts";

const squad = withSquad();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const bankAt = (url: string) => squadPayoutBank({ url, secretKey: squad.secretKey, merchantId: squad.merchantId });
const payouts = () => bankAt(squad.url);

describePayoutBank("squad", () => ({
  bank: payouts(),
  unreachable: bankAt(NOWHERE),
  bankCode: "000013",
  accounts: {
    ...{ paid: "0123454417", failed: "0123450000", paidLater: "0123451111", failedLater: "0123452222" },
    ...{ reversed: "0123455555", none: "0123454040" },
  },
  loseNextAnswer: () => squad.wire.failNext({ path: "/payout", kind: "lost" }),
  changeNextAnswer: (change) => squad.wire.changeNextAnswer(change),
}));

let accounts = 0;
const orderTo = (changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
  ...{ reference: `po_${randomBytes(16).toString("hex")}`, amount: naira(2_500.5), bankCode: "000013", accountName: "OWNER" },
  ...{ accountNumber: `0${String(accounts++).padStart(5, "0")}4417`, narration: "Week 47" },
  ...changes,
});
const lastBodyOf = (path: string) => squad.wire.bodies[squad.wire.requests.lastIndexOf(path)];

test("an order names the account, the reference behind our merchant id, and kobo as a text", async () => {
  const order = orderTo();
  expect(await payouts().pay(order)).toEqual({ status: "paid", sessionId: expect.stringMatching(/^0000\d{26}$/) });
  expect(lastBodyOf("POST /payout/transfer")).toEqual({
    ...{ transaction_reference: `SBOJA_${order.reference}`, amount: "250050", bank_code: "000013", account_number: order.accountNumber },
    ...{ account_name: "OWNER", currency_id: "NGN", remark: "Week 47" },
  });
});

test("a second order with the reference of a payout is answered with that payout, and pays nothing", async () => {
  const order = orderTo();
  await payouts().pay(order);
  expect((await payouts().pay(order)).status).toBe("paid");
  expect(squad.payouts.timesPaid(order.accountNumber)).toBe(1);
});

test.each([400, 401, 403, 404, 412, 422, 424, 429, 500])(
  "an order that is answered by %i, and that a reading does not find, is unknown, because its money may be on its way",
  async (status) => {
    const order = orderTo();
    squad.payouts.refuseOrders({ status, body: { status, success: false, message: "Refused", data: {} } });
    expect(await payouts().pay(order)).toEqual({ status: "unknown" });
    squad.payouts.refuseOrders(undefined);
    expect(await payouts().readPayout(order)).toEqual({ status: "not_found" });
  },
);

test.each(["lost", "cut", "html", "error", "empty", "long", "busy"] as const)(
  "an order whose answer is %s is ordered once",
  async (kind) => {
    const order = orderTo();
    squad.wire.failNext({ path: "/payout/transfer", kind });
    expect(["unknown", "paid", "pending"]).toContain((await payouts().pay(order)).status);
    const final = await until(async () => {
      const reading = await payouts().readPayout(order);
      if (reading.status === "not_found") await payouts().pay(order);
      return reading.status === "paid" && reading;
    });
    expect(final.status).toBe("paid");
    expect(squad.payouts.timesPaid(order.accountNumber)).toBe(1);
  },
);

test.each(["cut", "html", "error", "empty", "long", "busy"] as const)(
  "a reading whose answer is %s says unknown, and never that there is no payout",
  async (kind) => {
    const order = orderTo();
    await payouts().pay(order);
    squad.wire.failNext({ path: "/payout/requery", kind });
    expect(await payouts().readPayout(order)).toEqual({ status: "unknown" });
  },
);

test("an order that is answered by 200 is paid only if the answer is about it, has a session, and says nothing else", async () => {
  for (const change of [
    (value: unknown) => (String(value).startsWith("SBOJA_") ? "SBOJA_po_another" : value),
    (value: unknown) => (value === "250050" ? "25005000" : value),
    (value: unknown) => (value === "250050" ? "2,500.50" : value),
    (value: unknown) => (/^0\d{5}4417$/.test(String(value)) ? "0123456789" : value),
  ]) {
    const order = orderTo();
    squad.wire.changeNextAnswer(change);
    squad.wire.failNext({ path: "/payout/requery", kind: "error" });
    expect(await payouts().pay(order)).toEqual({ status: "unknown" });
    expect((await payouts().readPayout(order)).status).toBe("paid");
  }
  for (const word of ["pending", "failed", "reversed", "pondering"]) {
    const order = orderTo();
    squad.payouts.sayAlso(word);
    squad.wire.failNext({ path: "/payout/requery", kind: "error" });
    expect(await payouts().pay(order)).toEqual({ status: "unknown" });
    squad.payouts.sayAlso(undefined);
  }
  const order = orderTo();
  squad.wire.changeNextAnswer((value) => (/^0000\d{26}$/.test(String(value)) ? null : value));
  expect(await payouts().pay(order)).toEqual({ status: "paid", sessionId: expect.stringMatching(/^0000\d{26}$/) });
});

test.each([
  [404, "Merchant not found", "unknown"],
  [404, "Route not found", "unknown"],
  [400, "Transaction not found", "unknown"],
  [404, "Transaction not found", "not_found"],
])("a reading that answers %i %s says %s", async (status, message, outcome) => {
  const requery = vi.spyOn(squad.payouts, "requery");
  requery.mockReturnValueOnce({ status, body: { status, success: false, message, data: {} } });
  expect(await payouts().readPayout(orderTo())).toEqual({ status: outcome });
  requery.mockRestore();
});

test.each([202, 424, 500])("a reading that answers %i decides nothing, although it says success", async (status) => {
  const order = orderTo();
  await payouts().pay(order);
  const { body } = squad.payouts.requery({ transaction_reference: `SBOJA_${order.reference}` });
  expect(body).toMatchObject({ data: { transaction_status: "success" } });
  const requery = vi.spyOn(squad.payouts, "requery").mockReturnValueOnce({ status, body });
  expect(await payouts().readPayout(order)).toEqual({ status: "unknown" });
  requery.mockRestore();
});

test("a reading with two words that differ decides nothing", async () => {
  const order = orderTo({ accountNumber: "0123452222" });
  await payouts().pay(order);
  await until(async () => (await payouts().readPayout(order)).status === "failed");
  squad.payouts.sayAlso("success");
  expect(await payouts().readPayout(order)).toEqual({ status: "unknown" });
  squad.payouts.sayAlso(undefined);
  expect((await payouts().readPayout(order)).status).toBe("failed");
});
