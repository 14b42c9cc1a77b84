import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { money, naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { VECTOR } from "#testing/providers/paystack/vector.ts";
import { describeBank } from "../bank.conformance.ts";
import type { Bank } from "../bank.ts";
import { payerOf } from "../payer.ts";
import { describeRefunds } from "../refunds.conformance.ts";
import { paystackBank } from "./bank.ts";

const paystack = withPaystack();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";
const HOST = "shop.example";

const bankAt = (url: string): Bank => paystackBank({ url, secretKey: paystack.secretKey, domain: "live", payerHost: HOST });

describeBank("paystack", () => ({
  bank: bankAt(paystack.url),
  unreachable: bankAt(NOWHERE),
  loseNextAnswer: () => paystack.wire.failNext({ path: "/", kind: "lost" }),
  changeNextAnswer: (change) => paystack.wire.changeNextAnswer(change),
  pay: ({ accountNumber }, amount) => paystack.pay(accountNumber, Number(amount.minor)),
  passDay: async () => {},
  endTime: async (reference) => paystack.books.endTime(reference),
  notices: async () => paystack.notices.map(({ headers, body }) => ({ headers: new Headers(headers), body })),
}));

let count = 0;
async function open(amount = naira(2_500)) {
  const reference = `OJA${process.pid}${count++}`;
  const request = { reference, amount, accountName: "Ada's Shop", validForMs: 1_800_000, payer: payerOf(reference, HOST) };
  const bank = bankAt(paystack.url);
  const outcome = await bank.openAccount(request);
  if (outcome.status !== "opened") throw new Error(outcome.status);
  return { bank, reference, request, account: outcome.account };
}

describeRefunds("paystack", () => ({
  bank: bankAt(paystack.url),
  unreachable: bankAt(NOWHERE),
  // Before an order the adapter lists refunds.
  loseNextOrder: () => paystack.wire.failNext({ path: "/refund", kind: "lost", method: "POST" }),
  changeNextAnswer: (change) => paystack.wire.changeNextAnswer(change),
  async pay(amount, end) {
    const { reference, account } = await open(amount);
    if (end === "failed") paystack.books.endNextRefund("failed");
    return { sessionId: await paystack.pay(account.accountNumber, Number(amount.minor)), accountReference: reference };
  },
}));

describe("a notice of Paystack", () => {
  test("is believed with the signature of the published vector, and with no other", () => {
    const bank = paystackBank({ url: NOWHERE, secretKey: VECTOR.key, domain: "live", payerHost: HOST });
    const read = (body: string, signature: string) => bank.readNotice(new Headers({ "x-paystack-signature": signature }), body);
    // Not for lack of a signature: this notice is signed, and has no channel, so it is about another product.
    expect(read(VECTOR.body, VECTOR.signature)).toBe("irrelevant");
    expect(read(VECTOR.body.replace("250000", "250001"), VECTOR.signature)).toBeUndefined();
    expect(read(VECTOR.body, VECTOR.signature.replace("7", "8"))).toBeUndefined();
    expect(read(VECTOR.body, "")).toBeUndefined();
    expect(read(JSON.stringify(JSON.parse(VECTOR.body), null, 1), VECTOR.signature)).toBeUndefined();
    expect(bankAt(NOWHERE).readNotice(new Headers({ "x-paystack-signature": VECTOR.signature }), VECTOR.body)).toBeUndefined();
  });

  const successOf = async (changes: Record<string, unknown>) => {
    const { account, bank } = await open();
    await paystack.pay(account.accountNumber, 250_000);
    const { data } = JSON.parse(paystack.notices.at(-1)?.body ?? "");
    const { headers, body } = paystack.sign(JSON.stringify({ event: "charge.success", data: { ...data, ...changes } }));
    return () => bank.readNotice(new Headers(headers), body);
  };

  test.each([
    ["of a test key", { domain: "test" }],
    ["of a card payment", { channel: "card" }],
    ["in dollars", { currency: "USD" }],
  ])("of money %s is irrelevant", async (_, changes) => {
    expect((await successOf(changes))()).toBe("irrelevant");
  });

  test.each([
    ["in Naira with a fraction", { amount: 2500.5 }],
    ["as a text with decimals", { amount: "2500.00" }],
    ["below zero", { amount: -250_000 }],
    ["that JavaScript cannot hold", { amount: 2 ** 53 }],
  ])("with an amount %s cannot be read, and is not guessed", async (_, changes) => {
    expect(await successOf(changes)).toThrow();
  });

  test("tells kobo, whether the amount is a number or a text, and the last four digits of a masked account", async () => {
    for (const amount of [250_000, "250000"]) {
      expect((await successOf({ amount }))()).toMatchObject({
        ...{ amount: money(250_000n, "NGN"), senderName: "CHIDI OKAFOR", senderBank: "Guaranty Trust Bank", senderAccountLast4: "4021" },
        returnedBecause: null,
      });
    }
  });

  test.each(["", "31040 21987", "1e9", -1, 2 ** 53])("with the id %j of its transaction cannot be read", async (id) => {
    expect(await successOf({ id })).toThrow();
  });

  test("without a time cannot be read", async () => {
    expect(await successOf({ paid_at: "2026-11-21 10:15:00" })).toThrow();
  });

  test("of a rejected transfer names the account by the payer's email, and is irrelevant where the email is not ours", async () => {
    const { bank, reference, account } = await open();
    await paystack.pay(account.accountNumber, 249_900);
    const { headers, body } = paystack.notices.at(-1) ?? { headers: {}, body: "" };
    expect(bank.readNotice(new Headers(headers), body)).toMatchObject({
      accountReference: reference,
      amount: null,
      returnedBecause: "other",
    });
    for (const email of ["näh@shop.example", "amina@example.com", `${reference}@gmail.com`, `${reference}@shop.example.evil.example`]) {
      const other = paystack.sign(body.replace(/"email":"[^"]*"/, `"email":"${email}"`));
      expect(bank.readNotice(new Headers(other.headers), other.body)).toBe("irrelevant");
    }
  });

  test("of a charge whose status is not success only makes us read its account", async () => {
    const hint = (await successOf({ status: "failed" }))();
    expect(hint).toEqual({ accountToRead: expect.stringMatching(/^OJA/) });
  });

  test.each([
    ["no authorization", { authorization: undefined }],
    ["an empty list for it", { authorization: [] }],
    [
      "a number for the account and an object for the bank",
      { authorization: { sender_bank: { name: "GTB" }, sender_bank_account_number: 4021 } },
    ],
  ])("with %s tells the money all the same, and no sender", async (_, changes) => {
    const told = { amount: naira(2_500), senderName: null, senderBank: null, senderAccountLast4: null, returnedBecause: null };
    expect((await successOf(changes))()).toMatchObject(told);
  });

  test("of a refund makes us read the refunds of its payment, and is irrelevant without its reference, as an unknown event is", () => {
    const bank = bankAt(NOWHERE);
    const read = (event: string, data: object) => {
      const { headers, body } = paystack.sign(JSON.stringify({ event, data }));
      return bank.readNotice(new Headers(headers), body);
    };
    for (const event of ["pending", "processing", "processed", "failed", "needs-attention"])
      expect(read(`refund.${event}`, { transaction_reference: "OJA1", amount: "2500" })).toEqual({ refundsToRead: "OJA1" });
    expect(read("refund.processed", { status: "processed", transaction_reference: null })).toBe("irrelevant");
    expect(read("dedicatedaccount.assign.success", {})).toBe("irrelevant");
  });
});

describe("an opening at Paystack", () => {
  test("asks for kobo as a text, and for half an hour, and sends the key and no name of a person", async () => {
    const { account } = await open(naira(100));
    expect(account.accountName).toBe("Paystack Checkout");
    expect(Math.abs(account.openedAt.getTime() - Date.now())).toBeLessThan(10_000);
    expect(paystack.wire.requests.at(-1)).toBe("POST /charge");
    const { reference, bank_transfer, ...others } = paystack.wire.bodies.at(-1) ?? {};
    expect(others).toEqual({ amount: "10000", email: `${String(reference).toLowerCase()}@${HOST}` });
    const { account_expires_at, ...rest } = bank_transfer as { account_expires_at: string };
    expect(rest).toEqual({});
    // Longer than the link, whose half hour begins after the answer.
    expect(Date.parse(account_expires_at) - account.openedAt.getTime()).toBe(1_808_000);
  });

  test.each(["lost", "cut", "html", "error", "empty", "long", "busy", "word"] as const)(
    "is unknown after an answer that is %s",
    async (kind) => {
      const { bank, request } = await open();
      paystack.wire.failNext({ path: "/charge", kind });
      expect(await bank.openAccount({ ...request, reference: `${request.reference}-2` })).toEqual({ status: "unknown" });
    },
  );

  test("is unknown if no answer comes within the deadline", { timeout: 20_000 }, async () => {
    const { bank, request } = await open();
    paystack.wire.failNext({ path: "/charge", kind: "hang" });
    expect(await bank.openAccount({ ...request, reference: `${request.reference}-2` })).toEqual({ status: "unknown" });
  });

  test("finds the account of an earlier attempt where Paystack tells it, with the time at which it was opened", async () => {
    const { bank, request, account } = await open();
    expect(await bank.openAccount(request)).toEqual({ status: "exists" });
    const endsAt = new Date(Date.now() + 1_000_000);
    const { accountNumber } = account;
    vi.spyOn(paystack.books, "checkCharge").mockImplementationOnce((reference) => {
      const data = { reference, status: "pending_bank_transfer", account_number: accountNumber, account_name: "Paystack Checkout" };
      const body = { status: true, data: { ...data, bank: { name: "Test Bank" }, account_expires_at: endsAt.toISOString() } };
      return { status: 200, body };
    });
    expect(await bank.openAccount(request)).toMatchObject({
      status: "opened",
      account: { accountNumber, openedAt: new Date(endsAt.getTime() - 1_808_000) },
    });
  });

  test("of an account that ends before its link is refused, and of one that ends later is not", async () => {
    const { bank, request } = await open();
    paystack.books.shiftEnds(-9_000);
    expect((await bank.openAccount({ ...request, reference: `${request.reference}-2` })).status).toBe("refused");
    paystack.books.shiftEnds(600_000);
    expect((await bank.openAccount({ ...request, reference: `${request.reference}-3` })).status).toBe("opened");
    paystack.books.shiftEnds(0);
  });

  test("is refused where Paystack refuses it, also with a wrong key", async () => {
    const { bank, request } = await open();
    expect((await bank.openAccount({ ...request, reference: "bad_reference" })).status).toBe("refused");
    const wrongKey = paystackBank({ url: paystack.url, secretKey: "sk_live_wrong", domain: "live", payerHost: HOST });
    expect((await wrongKey.openAccount(request)).status).toBe("refused");
    expect(await wrongKey.isUp()).toBe(false);
  });
});

describe("a reading at Paystack", () => {
  test.each(["lost", "cut", "html", "error", "empty", "long", "busy", "word"] as const)(
    "is unknown after an answer that is %s",
    async (kind) => {
      const { bank, reference, account } = await open();
      await paystack.pay(account.accountNumber, 250_000);
      paystack.wire.failNext({ path: "/transaction", kind });
      expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual({ status: "unknown" });
      expect((await bank.readAccount({ reference, amount: naira(2_500) })).status).toBe("read");
    },
  );

  test("of the other mode or another currency is unknown", async () => {
    const { bank, reference, account } = await open();
    await paystack.pay(account.accountNumber, 250_000);
    for (const [from, to] of [
      ["live", "test"],
      ["NGN", "GHS"],
      ["bank_transfer", "card"],
    ]) {
      paystack.wire.changeNextAnswer((value) => (value === from ? to : value));
      expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual({ status: "unknown" });
    }
  });

  test("says not_found only with the words of an unknown reference, at 400 or 404", async () => {
    const bank = bankAt(paystack.url);
    const verify = vi.spyOn(paystack.books, "verify");
    for (const [status, message, outcome] of [
      [400, "Transaction reference not found.", "not_found"],
      [404, "Transaction reference not found", "not_found"],
      [400, "Invalid key", "unknown"],
      [500, "Transaction reference not found", "unknown"],
    ] as const) {
      verify.mockReturnValueOnce({ status, body: { status: false, message } });
      expect(await bank.readAccount({ reference: "OJANONE", amount: naira(2_500) })).toEqual({ status: outcome });
    }
    verify.mockRestore();
  });

  test("of a payment that is being reversed is unknown, and so is one that a part of the money left", async () => {
    const { bank, reference, account } = await open();
    const id = await paystack.pay(account.accountNumber, 250_000);
    paystack.books.setStatus(reference, "reversal pending");
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual({ status: "unknown" });
    paystack.books.refundByHand(id, 5_000);
    paystack.books.setStatus(reference, "reversed");
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual({
      status: "unknown",
      unclear: expect.stringContaining("dispute"),
    });
    paystack.books.refundByHand(id, 245_000);
    await bank.readAccount({ reference, amount: naira(2_500) });
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toMatchObject({ transfers: [{ returnedBecause: "recalled" }] });
  });

  test("of a payment whose refunds do not say who asked for them is unknown, and so is one that we and others have refunded", async () => {
    for (const [ours, theirs] of [
      [0, null],
      [100_000, "Refund by ada@shop.example"],
      [100_000, null],
    ] as const) {
      const { bank, reference, account } = await open();
      const sessionId = await paystack.pay(account.accountNumber, 250_000);
      if (ours > 0)
        await bank.refunds?.refund({
          reference: `rfd_${reference.toLowerCase()}0000000000`,
          sessionId,
          amount: money(BigInt(ours), "NGN"),
          bankReference: null,
          otherBankReferences: [],
        });
      paystack.books.refundByHand(sessionId, 250_000 - ours, theirs);
      paystack.books.setStatus(reference, "reversed");
      const unclear = { status: "unknown", unclear: expect.stringContaining("do not say by whom") };
      for (const _ of [1, 2, 3]) expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual(unclear);
    }
  });

  test("that is behind its notice shows nothing yet, and of money that was taken back says so", async () => {
    const { bank, reference, account } = await open();
    await paystack.pay(account.accountNumber, 250_000);
    paystack.books.delayReadings(1);
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toEqual({ status: "read", transfers: [] });
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toMatchObject({ transfers: [{ returnedBecause: null }] });
    paystack.books.reverse(reference);
    expect(await bank.readAccount({ reference, amount: naira(2_500) })).toMatchObject({
      transfers: [{ returnedBecause: "recalled", amount: naira(2_500) }],
    });
  });
});

describe("a refund at Paystack", () => {
  async function ordered() {
    const { bank, account } = await open();
    const sessionId = await paystack.pay(account.accountNumber, 250_000);
    if (!bank.refunds) throw new Error("no refunds");
    return {
      refunds: bank.refunds,
      order: { reference: `rfd_${sessionId}0000000000`, sessionId, amount: naira(1_000), bankReference: null, otherBankReferences: [] },
    };
  }

  test("has our reference as its note, and tells Paystack's id of it", async () => {
    const { refunds, order } = await ordered();
    const outcome = await refunds.refund(order);
    expect(outcome).toEqual({ status: "pending", bankReference: expect.stringMatching(/^\d+$/) });
    expect(paystack.wire.bodies.at(-1)).toEqual({ transaction: order.sessionId, amount: "100000", merchant_note: order.reference });
  });

  test("is not ordered after a wait in which the order's time went by", async () => {
    const now = performance.now.bind(performance);
    let waitedMs = 0;
    const { order, refunds } = await ordered();
    vi.spyOn(performance, "now").mockImplementation(() => now() + waitedMs);
    paystack.wire.interrupt = async () => {
      waitedMs = 10_001;
      return false;
    };
    onTestFinished(() => {
      vi.restoreAllMocks();
      paystack.wire.interrupt = null;
    });
    expect(await refunds.refund(order)).toEqual({ status: "failed", reason: "The bank took too long." });
    expect(await refunds.readRefund(order)).toEqual({ status: "not_found" });
  });

  test("waits for an operator where Paystack needs the payer's account", async () => {
    const { refunds, order } = await ordered();
    paystack.books.endNextRefund("needs-attention");
    expect(await refunds.refund(order)).toMatchObject({ status: "pending", needs: expect.stringContaining("the payer's account") });
  });

  test("is found by Paystack's id where lists have no notes, and without that id it is unknown", async () => {
    const { refunds, order } = await ordered();
    const { bankReference = null } = await refunds.refund(order);
    const list = vi.spyOn(paystack.books, "listRefunds");
    const rows = [{ id: Number(bankReference), transaction: Number(order.sessionId), amount: 100_000, status: "processed" }];
    list.mockReturnValue({ status: 200, body: { status: true, data: rows } });
    expect(await refunds.readRefund({ ...order, bankReference })).toMatchObject({ status: "paid" });
    expect(await refunds.readRefund(order)).toEqual({ status: "unknown" });
    expect(await refunds.refund(order)).toEqual({ status: "unknown" });
    expect(await refunds.readRefund({ ...order, amount: naira(1) })).toEqual({ status: "not_found" });
    list.mockRestore();
  });

  test.each(["cut", "html", "error", "empty", "long", "busy", "word"] as const)(
    "whose order is answered by %s is ordered once",
    async (kind) => {
      const { refunds, order } = await ordered();
      paystack.wire.requests.splice(0);
      paystack.wire.failNext({ path: "/refund", kind, method: "POST" });
      const { status } = await refunds.refund(order);
      // The simulator does not carry out an order while it is busy.
      expect(status).toBe("unknown");
      expect((await refunds.readRefund(order)).status).toBe(kind === "busy" ? "not_found" : "pending");
      expect(paystack.wire.requests.filter((request) => request === "POST /refund")).toHaveLength(1);
    },
  );
});

describe("a return at Paystack", () => {
  beforeEach(() => void paystack.wire.requests.splice(0));
  const refunds = () => paystack.wire.requests.filter((request) => request === "POST /refund");

  async function paid() {
    const { bank, reference, account } = await open();
    const sessionId = await paystack.pay(account.accountNumber, 250_000);
    return { bank, transfer: { sessionId, accountReference: reference, amount: naira(2_500) } };
  }

  test("asks for one refund, however often it is asked, also after a lost answer", async () => {
    const { bank, transfer } = await paid();
    paystack.wire.failNext({ path: "/refund", kind: "lost" });
    expect(await bank.returnTransfer(transfer)).toBe("unknown");
    expect(await bank.returnTransfer(transfer)).toBe("pending");
    for (const outcome of ["pending", "pending", "returned", "returned"]) expect(await bank.returnTransfer(transfer)).toBe(outcome);
    expect(refunds()).toHaveLength(1);
    const asked = paystack.wire.bodies.filter((body) => "transaction" in body).at(-1);
    expect(asked).toEqual({ transaction: transfer.sessionId, amount: "250000", merchant_note: expect.stringMatching(/\S/) });
  });

  test.each([
    ["failed", "failed"],
    ["needs-attention", "needs_details"],
  ] as const)("that is %s is not asked for again", async (end, outcome) => {
    const { bank, transfer } = await paid();
    paystack.books.endNextRefund(end);
    expect(await bank.returnTransfer(transfer)).toBe(outcome);
    expect(await bank.returnTransfer(transfer)).toBe(outcome);
    expect(refunds()).toHaveLength(1);
  });

  test("of which a part went back is not done, and the rest is left to operators", async () => {
    const { bank, transfer } = await paid();
    paystack.books.refundByHand(transfer.sessionId, 5_000);
    await bank.returnTransfer(transfer);
    expect(await bank.returnTransfer(transfer)).toBe("failed");
    expect(refunds()).toEqual([]);
    paystack.books.refundByHand(transfer.sessionId, 245_000);
    expect(await bank.returnTransfer(transfer)).toBe("pending");
    expect(await bank.returnTransfer(transfer)).toBe("returned");
  });

  test.each([
    [["failed", "pending"], "pending"],
    [["needs-attention", "processing"], "pending"],
    [["failed", "needs-attention"], "needs_details"],
    [["pending", "escheated"], "unknown"],
  ] as const)("with refunds that are %s is %s", async (states, outcome) => {
    const { bank, transfer } = await paid();
    const rows = states.map((status, id) => ({ id: id + 1, transaction: Number(transfer.sessionId), amount: 125_000, status }));
    const list = vi.spyOn(paystack.books, "listRefunds").mockReturnValueOnce({ status: 200, body: { status: true, data: rows } });
    expect(await bank.returnTransfer(transfer)).toBe(outcome);
    expect(refunds()).toEqual([]);
    list.mockRestore();
  });

  test("is unknown after an answer about another transaction, another amount or with an error", async () => {
    const refund = vi.spyOn(paystack.books, "refund");
    for (const [status, changes] of [
      [200, { transaction: { id: 1 } }],
      [200, { amount: 2_500 }],
      [400, {}],
      [500, {}],
    ] as const) {
      const { bank, transfer } = await paid();
      const data = { id: 1, transaction: { id: Number(transfer.sessionId) }, amount: 250_000, status: "processed", ...changes };
      refund.mockReturnValueOnce({ status, body: { status: true, data } });
      expect(await bank.returnTransfer(transfer)).toBe("unknown");
    }
    refund.mockRestore();
  });

  test.each(["cut", "html", "error", "empty", "long", "busy", "word"] as const)(
    "asks for none while the list of refunds is %s",
    async (kind) => {
      const { bank, transfer } = await paid();
      await bank.returnTransfer(transfer);
      paystack.wire.failNext({ path: "/refund", kind });
      expect(await bank.returnTransfer(transfer)).toBe("unknown");
      expect(refunds()).toHaveLength(1);
    },
  );
});
