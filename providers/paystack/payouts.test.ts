import { randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import type { Fault } from "#testing/providers/faulty-server.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { until } from "#testing/until.ts";
import { describePayoutBank } from "../payout-bank.conformance.ts";
import type { PayoutOrder } from "../payout-bank.ts";
import { paystackBank } from "./bank.ts";
import { paystackPayoutBank } from "./payout-bank.ts";

const paystack = withPaystack();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const bankAt = (url: string) => paystackPayoutBank({ url, secretKey: paystack.secretKey, domain: "live" });

describePayoutBank("paystack", () => ({
  bank: bankAt(paystack.url),
  unreachable: bankAt(NOWHERE),
  bankCode: "035A",
  accounts: {
    ...{ paid: "0123454417", failed: "0123450000", paidLater: "0123451111", failedLater: "0123452222" },
    ...{ reversed: "0123455555", none: "0123454040" },
  },
  loseNextAnswer: () => paystack.wire.failNext({ path: "/transfer", kind: "lost" }),
  changeNextAnswer: (change) => paystack.wire.changeNextAnswer(change),
}));

let accounts = 0;
const orderTo = (changes: Partial<PayoutOrder> = {}): PayoutOrder => ({
  ...{ reference: `po_${randomBytes(16).toString("hex")}`, amount: naira(2_500.5), bankCode: "058", accountName: "OWNER" },
  ...{ accountNumber: `0${String(accounts++).padStart(5, "0")}4417`, narration: "Week 47" },
  ...changes,
});

const payouts = () => bankAt(paystack.url);
const lastBodyOf = (path: string) => paystack.wire.bodies[paystack.wire.requests.lastIndexOf(path)];

test("an order names the recipient, the reference and the amount in kobo, and is made from the balance", async () => {
  const order = orderTo();
  expect(await payouts().pay(order)).toEqual({ status: "pending" });
  expect(lastBodyOf("POST /transferrecipient")).toEqual({
    ...{ type: "nuban", name: "OWNER", account_number: order.accountNumber, bank_code: "058", currency: "NGN" },
  });
  expect(lastBodyOf("POST /transfer")).toEqual({
    ...{ source: "balance", amount: 250_050, recipient: `RCP_058${order.accountNumber}`, reference: order.reference, reason: "Week 47" },
  });
  const paid = await until(async () => {
    const reading = await payouts().readPayout(order);
    return reading.status === "paid" && reading;
  });
  expect(paid.sessionId).toMatch(/^0000\d{26}$/);
});

test("a bank's list has all pages, codes with leading zeros and letters, and no bank that is gone", async () => {
  const listed = await payouts().listBanks();
  if (listed.status !== "found") throw new Error(listed.status);
  expect(listed.found.map(({ code }) => code)).toEqual(["058", "035", "035A", "50515", "50211"]);
});

test("a list of which one page cannot be read is unknown, because banks would be missing", async () => {
  paystack.wire.failNext({ path: "/bank", kind: "html" });
  expect(await payouts().listBanks()).toEqual({ status: "unknown" });
});

test("a second order with the reference of a transfer is answered with that transfer, and pays nothing", async () => {
  const order = orderTo();
  await payouts().pay(order);
  paystack.payouts.hold(order.reference);
  expect(await payouts().pay(order)).toEqual({ status: "pending" });
  paystack.payouts.finish(order.reference, "failed");
  expect((await payouts().pay(order)).status).toBe("failed");
  expect(paystack.payouts.timesPaid(order.accountNumber)).toBe(1);
});

test.each(["abandoned", "blocked", "rejected", "failed", "reversed"] as const)(
  "a transfer that is %s has not paid, or came back, and says why",
  async (word) => {
    const order = orderTo();
    await payouts().pay(order);
    paystack.payouts.hold(order.reference);
    paystack.wire.changeNextAnswer((value, name) => (name === "status" && value === "pending" ? word : value));
    expect(await payouts().readPayout(order)).toEqual({
      status: word === "reversed" ? "reversed" : "failed",
      reason: expect.stringMatching(/^The .+\.$/),
    });
  },
);

test.each(["received", "queued", "escheated"])("a transfer that is %s is not decided", async (word) => {
  const order = orderTo();
  await payouts().pay(order);
  paystack.payouts.hold(order.reference);
  paystack.wire.changeNextAnswer((value, name) => (name === "status" && value === "pending" ? word : value));
  expect(await payouts().readPayout(order)).toEqual({ status: "pending" });
});

test("a transfer that waits for a one-time password is pending, and says what an operator has to do", async () => {
  paystack.payouts.askForOtp(true);
  const outcome = await payouts().pay(orderTo());
  paystack.payouts.askForOtp(false);
  expect(outcome).toEqual({ status: "pending", needs: expect.stringContaining("one-time passwords") });
});

test("the words of a refusal decide no order: a reading finds that Paystack has no transfer", async () => {
  const order = orderTo();
  paystack.payouts.setBalance(1);
  const outcome = await payouts().pay(order);
  paystack.payouts.setBalance(100_000_000_00);
  expect(outcome).toEqual({ status: "unknown" });
  expect(await payouts().readPayout(order)).toEqual({ status: "not_found" });
});

test.each([
  { code: "duplicate_transfer_reference", message: "Please choose another reference" },
  { code: "invalid_params", message: "Please provide a unique reference. Reference already exists on a transfer" },
])("an order that Paystack calls repeated by code or by words is answered with its transfer: $code", async (refusal) => {
  const order = orderTo();
  await payouts().pay(order);
  const transfer = vi.spyOn(paystack.payouts, "transfer").mockReturnValue({ status: 400, body: { status: false, ...refusal } });
  onTestFinished(() => transfer.mockRestore());
  expect(["pending", "paid"]).toContain((await payouts().pay(order)).status);
});

test("a transfer that Paystack says it has, and does not find, is not decided", async () => {
  const order = orderTo();
  await payouts().pay(order);
  const read = vi
    .spyOn(paystack.payouts, "verify")
    .mockReturnValue({ status: 404, body: { status: false, message: "Transfer not found" } });
  onTestFinished(() => read.mockRestore());
  expect(await payouts().pay(order)).toEqual({ status: "unknown" });
  expect(await payouts().readPayout(order)).toEqual({ status: "not_found" });
});

test("no transfer is ordered after a wait in which the order's time went by", async () => {
  const now = performance.now.bind(performance);
  let waitedMs = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now() + waitedMs);
  paystack.wire.interrupt = async ({ url }) => {
    if (url.pathname === "/transferrecipient") waitedMs = 10_001;
    return false;
  };
  onTestFinished(() => {
    vi.restoreAllMocks();
    paystack.wire.interrupt = null;
  });
  paystack.wire.requests.splice(0);
  paystack.wire.bodies.splice(0);
  expect(await payouts().pay(orderTo())).toEqual({ status: "failed", reason: "The bank took too long." });
  expect(paystack.wire.requests).toEqual(["POST /transferrecipient"]);
});

test("the name in an answer about another account is not believed", async () => {
  paystack.wire.changeNextAnswer((value, name) => (name === "account_number" ? "0123450001" : value));
  expect(await payouts().nameAccount({ bankCode: "058", accountNumber: "0123454417" })).toEqual({ status: "unknown" });
});

test("no transfer is ordered to a recipient that is another account than the order's, or does not say which", async () => {
  for (const [field, value] of [
    ["account_number", "9999999999"],
    ["bank_code", "044"],
    ["account_number", ""],
  ] as const) {
    const order = orderTo();
    paystack.wire.changeNextAnswer((now, name) => (name === field ? value : now));
    expect(await payouts().pay(order)).toEqual({ status: "failed", reason: "The bank did not take the account." });
    expect(paystack.payouts.timesPaid(order.accountNumber)).toBe(0);
  }
});

test.each(["lost", "hang", "cut", "html", "error", "empty", "long", "busy", "word"] as const satisfies Fault["kind"][])(
  "an order whose answer is %s is not decided, and a later reading finds what became of it",
  async (kind) => {
    const order = orderTo();
    paystack.wire.failNext({ path: "/transfer", kind });
    expect(["unknown", "pending"]).toContain((await payouts().pay(order)).status);
    const end = await until(async () => {
      const { status } = await payouts().readPayout(order);
      return status !== "pending" && status !== "unknown" && status;
    });
    // Of all of them, only a Paystack that is too busy did not carry the order out.
    expect(end).toBe(kind === "busy" ? "not_found" : "paid");
  },
  20_000,
);

test.each(["lost", "html", "error", "empty", "busy"] as const)(
  "an order has failed where the answer about its recipient is %s, because no transfer is ordered",
  async (kind) => {
    const order = orderTo();
    paystack.wire.failNext({ path: "/transferrecipient", kind });
    expect((await payouts().pay(order)).status).toBe("failed");
    expect(paystack.payouts.timesPaid(order.accountNumber)).toBe(0);
    expect(await payouts().readPayout(order)).toEqual({ status: "not_found" });
  },
);

test("a 404 that is not Paystack's own answer about a transfer leaves the transfer unknown", async () => {
  const order = orderTo();
  paystack.wire.changeNextAnswer((value, name) => (name === "message" ? "Not Found" : value));
  expect(await payouts().readPayout(order)).toEqual({ status: "unknown" });
});

test.each([400, 500])("an answer %i with the words of an unknown transfer leaves the transfer unknown", async (status) => {
  const read = vi.spyOn(paystack.payouts, "verify").mockReturnValue({ status, body: { status: false, message: "Transfer not found" } });
  onTestFinished(() => read.mockRestore());
  expect(await payouts().readPayout(orderTo())).toEqual({ status: "unknown" });
});

describe("an answer about a transfer is unknown", () => {
  test.each([
    ["of the test mode", "domain", "test"],
    ["in another currency", "currency", "GHS"],
    ["to another account", "account_number", "0000000001"],
    ["at another bank", "bank_code", "50211"],
    ["of Naira in place of kobo", "amount", 2_500.5],
  ])("%s", async (_what, field, value) => {
    const order = orderTo();
    await payouts().pay(order);
    paystack.wire.changeNextAnswer((now, name) => (name === field ? value : now));
    expect(await payouts().readPayout(order)).toEqual({ status: "unknown" });
  });
});

describe("a notice of a transfer", () => {
  const bank = () => paystackBank({ url: NOWHERE, secretKey: paystack.secretKey, domain: "live", payerHost: "shop.example" });
  const read = ({ headers, body }: { headers: Record<string, string>; body: string }) => bank().readNotice(new Headers(headers), body);

  test.each(["success", "failed", "reversed"] as const)("%s is a hint to read it", async (status) => {
    const order = orderTo();
    await payouts().pay(order);
    const signed = paystack.sign(JSON.stringify(paystack.payouts.finish(order.reference, status)));
    expect(read(signed)).toEqual({ payoutToRead: order.reference });
    const forged = { ...signed, body: signed.body.replace(order.reference, orderTo().reference) };
    expect(read(forged)).toBeUndefined();
  });

  test("of the test mode is irrelevant", async () => {
    const order = orderTo();
    await payouts().pay(order);
    const notice = paystack.payouts.finish(order.reference, "success") as { data: object };
    expect(read(paystack.sign(JSON.stringify({ ...notice, data: { ...notice.data, domain: "test" } })))).toBe("irrelevant");
  });
});
