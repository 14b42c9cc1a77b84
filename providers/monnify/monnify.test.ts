import { beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { money, naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { dayFirst, yearFirst } from "#testing/providers/monnify/answers.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import { VECTOR } from "#testing/providers/monnify/vector.ts";
import { until } from "#testing/until.ts";
import { describeBank } from "../bank.conformance.ts";
import type { Bank } from "../bank.ts";
import { payerOf } from "../payer.ts";
import { describeRefunds } from "../refunds.conformance.ts";
import { monnifyBank } from "./bank.ts";
import { parseLagosMoment } from "./lagos-moment.ts";

const monnify = withMonnify();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const bankAt = (url: string, changes: { secretKey?: string } = {}): Bank =>
  monnifyBank({ url, apiKey: monnify.apiKey, secretKey: monnify.secretKey, contractCode: monnify.contractCode, ...changes });
let bank: Bank;
beforeAll(async () => {
  bank = bankAt(monnify.url);
  // It logs in, so that faults and changes meet later answers.
  expect(await bank.isUp()).toBe(true);
});

describeBank("monnify", () => ({
  bank,
  unreachable: bankAt(NOWHERE),
  loseNextAnswer: () => monnify.wire.failNext({ path: "/", kind: "lost" }),
  changeNextAnswer: (change) => monnify.wire.changeNextAnswer(change),
  pay: ({ accountNumber }, amount) => monnify.pay(accountNumber, Number(amount.minor)),
  passDay: async () => {},
  endTime: async (reference) => monnify.books.endTime(reference),
  notices: async () => monnify.notices.map(({ headers, body }) => ({ headers: new Headers(headers), body })),
}));

let count = 0;
async function open(amount = naira(2_500)) {
  const reference = `OJA${process.pid}${count++}`;
  const request = { reference, amount, accountName: "Ada's Shop", validForMs: 1_800_000, payer: payerOf(reference, "shop.example") };
  const outcome = await bank.openAccount(request);
  if (outcome.status !== "opened") throw new Error(outcome.status);
  return { request, reference, account: outcome.account, toRead: { reference, amount } };
}

describeRefunds("monnify", () => ({
  bank,
  unreachable: bankAt(NOWHERE),
  loseNextOrder: () => {
    monnify.wire.failNext({ path: "/api/v1/refunds", kind: "lost", method: "POST" });
    monnify.wire.failNext({ path: "/api/v1/refunds", kind: "lost", method: "GET" });
  },
  changeNextAnswer: (change) => monnify.wire.changeNextAnswer(change),
  async pay(amount, end) {
    const { reference, account } = await open(amount);
    if (end === "failed") monnify.refunds.endNext("FAILED");
    return { sessionId: await monnify.pay(account.accountNumber, Number(amount.minor)), accountReference: reference };
  },
}));

describe("a notice of Monnify", () => {
  const readBy = (reader: Bank, body: string, signature: string) =>
    reader.readNotice(new Headers({ "monnify-signature": signature }), body);
  const read = (notice: object, key?: string) => {
    const { headers, body } = monnify.sign(JSON.stringify(notice), key);
    return bank.readNotice(new Headers(headers), body);
  };
  /** Returns the content of the notice of a payment. */
  async function aPayment() {
    const { account, reference } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    const { eventData } = monnify.books.noticeOf(reference) as { eventData: Record<string, unknown> };
    return { reference, eventData };
  }
  const successful = (eventData: object) => read({ eventType: "SUCCESSFUL_TRANSACTION", eventData });

  test("is believed with the signature of the published vector, and with no other", () => {
    const reader = bankAt(NOWHERE, { secretKey: VECTOR.key });
    // The vector lacks most fields of a notice, so it is only a hint.
    expect(readBy(reader, VECTOR.body, VECTOR.signature)).toEqual({ accountToRead: "ojaacc01" });
    expect(readBy(reader, VECTOR.body.replace("2500", "2501"), VECTOR.signature)).toBeUndefined();
    expect(readBy(reader, VECTOR.body, VECTOR.signature.replace("e", "f"))).toBeUndefined();
    expect(readBy(reader, VECTOR.body, "")).toBeUndefined();
    expect(readBy(reader, JSON.stringify(JSON.parse(VECTOR.body), null, 1), VECTOR.signature)).toBeUndefined();
    expect(readBy(bankAt(NOWHERE), VECTOR.body, VECTOR.signature)).toBeUndefined();
  });

  test("of one exact payment says all of it: amount in kobo, sender, and Lagos's time", async () => {
    const { eventData, reference } = await aPayment();
    const told = successful({ ...eventData, paidOn: "2026-11-17 11:28:42.615" });
    expect(told).toEqual({
      ...{
        noticeId: `kept:${eventData.transactionReference}:250000`,
        sessionId: eventData.transactionReference,
        accountReference: reference,
      },
      ...{ amount: naira(2_500), senderName: "CHIDI OKAFOR", senderAccountLast4: "4021", senderBank: null, accountNumber: null },
      ...{ receivedAt: new Date("2026-11-17T10:28:42.000Z"), returnedBecause: null },
    });
  });

  test("may name its source as a list or an object, masked or not at all, and amounts as numbers or texts", async () => {
    const { eventData } = await aPayment();
    const [source] = eventData.paymentSourceInformation as object[];
    const said = successful(eventData);
    expect(successful({ ...eventData, paymentSourceInformation: source })).toEqual(said);
    expect(successful({ ...eventData, amountPaid: "2500.00", totalPayable: "2500" })).toEqual(said);
    const unnamed = { ...source, accountName: null, accountNumber: 5 };
    expect(successful({ ...eventData, paymentSourceInformation: unnamed })).toEqual({
      ...Object(said),
      ...{ senderName: null, senderAccountLast4: null },
    });
  });

  test("of anything but one exact payment of one source makes us read, and so does one that has another shape", async () => {
    const { eventData, reference } = await aPayment();
    const [source] = eventData.paymentSourceInformation as object[];
    for (const change of [
      { paymentStatus: "OVERPAID" },
      { paymentStatus: "PARTIALLY_PAID" },
      { paymentStatus: "PONDERING" },
      { amountPaid: 2_501 },
      { totalPayable: 2_501 },
      { paymentSourceInformation: [source, source] },
      { paymentSourceInformation: { ...source, amountPaid: 1_000 } },
      ...[[], [{}], {}, null, undefined].map((paymentSourceInformation) => ({ paymentSourceInformation })),
      ...["2,500.00", 2500.001, -2500, null, "2500 NGN", undefined].map((amountPaid) => ({ amountPaid })),
      ...[null, "2026-11-17T10:28:42+0000"].map((paidOn) => ({ paidOn })),
    ])
      expect(successful({ ...eventData, ...change })).toEqual({ accountToRead: reference });
  });

  test("of money that came by card, in another currency, or of an event that we do not know, is irrelevant", async () => {
    const { eventData } = await aPayment();
    expect(successful({ ...eventData, paymentMethod: "CARD" })).toBe("irrelevant");
    expect(successful({ ...eventData, currency: "USD" })).toBe("irrelevant");
    expect(read({ eventType: "SETTLEMENT", eventData })).toBe("irrelevant");
    expect(read({ eventType: "SETTLEMENT", eventData }, "the key of another business")).toBeUndefined();
  });

  test("of rejected money says that it went back, how much, and whose it was", async () => {
    const { account, reference } = await open();
    for (const [kobo, returnedBecause] of [
      [249_999, "underpaid"],
      [250_001, "other"],
    ] as const) {
      const session = await monnify.pay(account.accountNumber, kobo);
      const { body, headers } = monnify.notices.at(-1) ?? { body: "", headers: {} };
      expect(bank.readNotice(new Headers(headers), body)).toMatchObject({
        ...{ sessionId: session, accountReference: reference, amount: money(BigInt(kobo), "NGN"), returnedBecause },
        ...{ senderName: "CHIDI OKAFOR", receivedAt: expect.any(Date) },
      });
    }
  });

  test("of rejected money of the right amount makes us read, because it may be the payment", async () => {
    const { account, reference } = await open();
    await monnify.pay(account.accountNumber, 249_999);
    const body = (monnify.notices.at(-1)?.body ?? "").replace('"amountPaid":2499.99', '"amountPaid":2500');
    expect(read(JSON.parse(body))).toEqual({ accountToRead: reference });
  });

  test.each(["SUCCESSFUL_REFUND", "FAILED_REFUND"])("of %s makes us read the refund", (eventType) => {
    expect(read({ eventType, eventData: { refundReference: "rfd_1", refundStatus: "COMPLETED" } })).toEqual({ refundToRead: "rfd_1" });
  });

  test.each(["SUCCESSFUL_DISBURSEMENT", "FAILED_DISBURSEMENT", "REVERSED_DISBURSEMENT"])("of %s makes us read the payout", (eventType) => {
    expect(read({ eventType, eventData: { reference: "po_1", status: "SUCCESS" } })).toEqual({ payoutToRead: "po_1" });
  });
});

describe("a moment of Lagos's clock", () => {
  test.each([
    ["2021-11-17 11:28:42.615", "2021-11-17T10:28:42.000Z"],
    ["2021-11-17T11:28:42", "2021-11-17T10:28:42.000Z"],
    ["17/11/2021 3:48:10 PM", "2021-11-17T14:48:10.000Z"],
    ["17/11/2021 12:05:00 AM", "2021-11-16T23:05:00.000Z"],
    ["17/11/2021 12:05:00 PM", "2021-11-17T11:05:00.000Z"],
    ["1/2/2021 03:04:05 am", "2021-02-01T02:04:05.000Z"],
  ])("%s is %s", (text, moment) => {
    expect(parseLagosMoment(text)?.toISOString()).toBe(moment);
  });

  test.each(["", "17/11/2021", "17/11/2021 13:48:10 PM", "17/11/2021 0:48:10 PM", "11/17/2021 3:48:10 PM", "2021-13-17 11:28:42", "now"])(
    "%s is none",
    (text) => {
      expect(parseLagosMoment(text)).toBeUndefined();
    },
  );

  test("is that of both of Monnify's formats", () => {
    const now = new Date(1_794_000_000_000);
    expect([parseLagosMoment(yearFirst(now)), parseLagosMoment(dayFirst(now))]).toEqual([now, now]);
  });
});

describe("an opening at Monnify", () => {
  test("asks for Naira by bank transfer alone, with the contract and no name of a person, and has Monnify's page", async () => {
    const { account, reference } = await open(naira(100.05));
    expect(account).toMatchObject({
      accountName: "Oja Payments Ltd",
      bankName: "Moniepoint Microfinance Bank",
      checkoutUrl: expect.stringMatching(/^https:\/\/sdk\.monnify\.example\//),
    });
    const at = monnify.wire.requests.lastIndexOf("POST /api/v1/merchant/transactions/init-transaction");
    expect(monnify.wire.bodies[at]).toEqual({
      ...{ amount: 100.05, currencyCode: "NGN", contractCode: monnify.contractCode, paymentMethods: ["ACCOUNT_TRANSFER"] },
      ...{ customerName: "Customer", customerEmail: `${reference.toLowerCase()}@shop.example` },
      ...{ paymentReference: reference, paymentDescription: "Payment" },
    });
  });

  test("is not offered an address that is no address of a page", async () => {
    const { request } = await open();
    monnify.wire.changeNextAnswer((value) => (String(value).startsWith("https://sdk") ? "javascript:alert(1)" : value));
    expect(await bank.openAccount({ ...request, reference: `${request.reference}A` })).toMatchObject({ account: { checkoutUrl: null } });
  });

  const FIRST = "/api/v1/merchant/transactions/init-transaction";
  const SECOND = "/api/v1/merchant/bank-transfer/init-payment";

  test.each(
    (["lost", "cut", "html", "error", "empty", "long", "busy"] as const).flatMap((kind) => [
      [kind, FIRST],
      [kind, SECOND],
    ]),
  )("is unknown after an answer that is %s to %s", async (kind, path) => {
    const { request } = await open();
    const next = { ...request, reference: `${request.reference}${kind}` };
    monnify.wire.failNext({ path, kind });
    expect(await bank.openAccount(next)).toEqual({ status: "unknown" });
    // Only a busy Monnify has not begun the transaction.
    expect((await bank.openAccount(next)).status).toBe(kind === "busy" && path === FIRST ? "opened" : "exists");
  });

  test.each([
    [422, "Duplicate payment reference", "exists"],
    [400, "Payment reference already exists", "exists"],
    [400, "Contract not active", "refused"],
    [403, "Not allowed", "refused"],
    [429, "Too many requests", "unknown"],
    [408, "Duplicate payment reference", "unknown"],
    [500, "Duplicate payment reference", "unknown"],
  ])("that is answered by %i %s is %s", async (status, responseMessage, outcome) => {
    const { request } = await open();
    const begin = vi.spyOn(monnify.books, "initTransaction");
    onTestFinished(() => begin.mockRestore());
    begin.mockReturnValueOnce({ status, body: { requestSuccessful: false, responseMessage, responseCode: "99" } });
    expect((await bank.openAccount({ ...request, reference: `${request.reference}${status}` })).status).toBe(outcome);
  });

  test("is refused where Monnify adds its fee, and where an account ends before its link", async () => {
    const { request } = await open();
    const openingOf = async (suffix: string) => (await bank.openAccount({ ...request, reference: `${request.reference}${suffix}` })).status;
    monnify.books.addFee(1_000);
    expect(await openingOf("A")).toBe("refused");
    monnify.books.addFee(0);
    monnify.books.openFor(1_799);
    expect(await openingOf("B")).toBe("refused");
    monnify.books.openFor(1_800);
    expect(await openingOf("C")).toBe("opened");
    monnify.books.openFor();
  });

  test("that is answered about another transaction is unknown", async () => {
    const { request } = await open();
    const init = monnify.books.initPayment.bind(monnify.books);
    const answered = vi.spyOn(monnify.books, "initPayment");
    onTestFinished(() => answered.mockRestore());
    for (const named of [{ transactionReference: "MNFY|ANOTHER" }, { paymentReference: "ANOTHER" }]) {
      answered.mockImplementationOnce((asked) => {
        const { status, body } = init(asked) as { status: number; body: { responseBody: object } };
        return { status, body: { ...body, responseBody: { ...body.responseBody, ...named } } };
      });
      const reference = `${request.reference}${Object.keys(named).join()}`;
      expect(await bank.openAccount({ ...request, reference })).toEqual({ status: "unknown" });
    }
  });

  test("with wrong keys is refused, because it was never asked for", async () => {
    const stranger = bankAt(monnify.url, { secretKey: "not the secret key" });
    const reference = `OJA${process.pid}wrong`;
    const request = { reference, amount: naira(100), accountName: "x", validForMs: 1_800_000, payer: payerOf(reference, "shop.example") };
    expect(await stranger.openAccount(request)).toEqual({ status: "refused", reason: "The bank could not be reached." });
    expect(await stranger.isUp()).toBe(false);
    expect(await bank.readAccount({ reference, amount: naira(100) })).toEqual({ status: "not_found" });
  });
});

describe("a token of Monnify", () => {
  test("is shared by calls, and replaced by one login where it has ended in a burst of calls", async () => {
    const { toRead } = await open();
    const before = monnify.logins;
    monnify.expireTokens();
    const readings = await Promise.all(Array.from({ length: 20 }, () => bank.readAccount(toRead)));
    expect(readings.every(({ status }) => status === "read")).toBe(true);
    expect(monnify.logins).toBe(before + 1);
    await bank.readAccount(toRead);
    expect(monnify.logins).toBe(before + 1);
  });

  test("is replaced before its end", async () => {
    const { toRead } = await open();
    const before = monnify.logins;
    const clock = vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_541_000);
    onTestFinished(() => clock.mockRestore());
    expect((await bank.readAccount(toRead)).status).toBe("read");
    expect(monnify.logins).toBe(before + 1);
  });

  test("that no login gives makes a reading unknown and an opening refused", async () => {
    const { request, toRead } = await open();
    const next = { ...request, reference: `${request.reference}X` };
    for (const kind of ["lost", "html", "empty", "error"] as const) {
      monnify.expireTokens();
      monnify.wire.failNext({ path: "/api/v1/auth/login", kind });
      expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
      monnify.wire.failNext({ path: "/api/v1/auth/login", kind });
      expect((await bank.openAccount(next)).status).toBe("refused");
      // An answer in between, because Monnify is not called for a while after five calls without one.
      expect((await bank.readAccount(toRead)).status).toBe("read");
    }
    expect((await bank.openAccount(next)).status).toBe("opened");
  });

  test("is asked for no longer than a call may take", async () => {
    const { toRead } = await open();
    monnify.expireTokens();
    monnify.wire.failNext({ path: "/api/v1/auth/login", kind: "hang" });
    expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
    expect((await bank.readAccount(toRead)).status).toBe("read");
  });
});

describe("a reading at Monnify", () => {
  const keepWrongAmounts = () => {
    monnify.books.keepWrongAmounts(true);
    onTestFinished(() => monnify.books.keepWrongAmounts(false));
  };
  const unclear = { status: "unknown", unclear: expect.stringMatching(/^Monnify says .*\.$/) };

  test("says the same as the notice of an exact payment", async () => {
    const { account, toRead } = await open();
    const session = await monnify.pay(account.accountNumber, 250_000);
    const { body, headers } = monnify.notices.at(-1) ?? { body: "", headers: {} };
    const told = bank.readNotice(new Headers(headers), body);
    expect(told).toMatchObject({ sessionId: session, amount: naira(2_500), returnedBecause: null });
    expect(await bank.readAccount(toRead)).toEqual({ status: "read", transfers: [told] });
  });

  test.each([
    ["OVERPAID", 250_001],
    ["PARTIALLY_PAID", 249_999],
  ])("of %s money that the contract keeps has its amount, under the name of the transaction", async (_, kobo) => {
    keepWrongAmounts();
    const { account, toRead, reference } = await open();
    const session = await monnify.pay(account.accountNumber, kobo);
    const { body, headers } = monnify.notices.at(-1) ?? { body: "", headers: {} };
    expect(bank.readNotice(new Headers(headers), body)).toEqual({ accountToRead: reference });
    expect(await bank.readAccount(toRead)).toMatchObject({
      status: "read",
      transfers: [{ sessionId: session, amount: money(BigInt(kobo), "NGN"), returnedBecause: null }],
    });
  });

  test("that names no source of a payment is unclear, because it may be several", async () => {
    const { account, toRead } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    monnify.books.hideSources(true);
    onTestFinished(() => monnify.books.hideSources(false));
    expect(await bank.readAccount(toRead)).toEqual(unclear);
  });

  test("of several payments is unclear, and so is one whose status and amount disagree", async () => {
    const { account, toRead, reference } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    for (const status of ["OVERPAID", "PARTIALLY_PAID"] as const) {
      monnify.books.setStatus(reference, status);
      expect(await bank.readAccount(toRead)).toEqual(unclear);
    }
    monnify.books.setStatus(reference, "PAID");
    expect(await bank.readAccount({ ...toRead, amount: naira(2_501) })).toEqual(unclear);
    monnify.books.payAgain(reference, 250_000);
    expect(await bank.readAccount(toRead)).toEqual(unclear);
  });

  test("of a payment that was reversed is unclear, and so is money for a payment that is not paid", async () => {
    const { account, toRead, reference } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    for (const status of ["REVERSED", "PENDING", "EXPIRED"] as const) {
      monnify.books.setStatus(reference, status);
      expect(await bank.readAccount(toRead)).toEqual(unclear);
    }
  });

  test("of an account that ended without money says that nothing came", async () => {
    const { toRead, reference } = await open();
    monnify.books.endTime(reference);
    expect(await bank.readAccount(toRead)).toEqual({ status: "read", transfers: [] });
  });

  test.each([
    ["PAID", "PONDERING"],
    ["PAID", "toString"],
    ["ACCOUNT_TRANSFER", "CARD"],
    ["NGN", "USD"],
    ["2500.00", "2,500.00"],
    [/\d\d:\d\d (AM|PM)$/, "yesterday"],
  ])("in which %s reads %s is unknown", async (from, to) => {
    const { account, toRead } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    monnify.wire.changeNextAnswer((value) => (value === from || (from instanceof RegExp && from.test(String(value))) ? to : value));
    expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
  });

  test.each([
    [404, { requestSuccessful: false, responseMessage: "There's no transaction", responseCode: "99" }, "not_found"],
    [400, { requestSuccessful: false, responseMessage: "There's no transaction", responseCode: "99" }, "unknown"],
    [404, { status: 404, error: "Not Found" }, "unknown"],
    [404, {}, "unknown"],
  ])("that is answered by %i %j is %s", async (status, body, outcome) => {
    const { toRead } = await open();
    const query = vi.spyOn(monnify.books, "query");
    onTestFinished(() => query.mockRestore());
    query.mockReturnValueOnce({ status, body });
    expect(await bank.readAccount(toRead)).toEqual({ status: outcome });
  });

  test.each(["lost", "cut", "html", "error", "empty", "long", "busy"] as const)("is unknown after an answer that is %s", async (kind) => {
    const { account, toRead } = await open();
    await monnify.pay(account.accountNumber, 250_000);
    monnify.wire.failNext({ path: "/api/v2/merchant", kind });
    expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
  });
});

describe("a return at Monnify", () => {
  test("is one refund of the whole amount, however often it is asked for, also where the first answer was lost", async () => {
    const { account, reference } = await open();
    const sessionId = await monnify.pay(account.accountNumber, 250_000);
    const kept = { sessionId, accountReference: reference, amount: naira(2_500) };
    const before = monnify.refunds.sum();
    monnify.wire.failNext({ path: "/api/v1/refunds", kind: "lost", method: "POST" });
    expect(await bank.returnTransfer(kept)).toBe("unknown");
    await Promise.all(Array.from({ length: 5 }, () => bank.returnTransfer(kept)));
    await until(async () => (await bank.returnTransfer(kept)) === "returned");
    expect(monnify.refunds.sum() - before).toBe(250_000);
  });

  test("that never left, because no login succeeded, is unknown", async () => {
    const { account, reference } = await open();
    const sessionId = await monnify.pay(account.accountNumber, 250_000);
    const kept = { sessionId, accountReference: reference, amount: naira(2_500) };
    const readRefund = monnify.refunds.read.bind(monnify.refunds);
    const read = vi.spyOn(monnify.refunds, "read").mockImplementationOnce((name) => {
      monnify.expireTokens();
      monnify.wire.failNext({ path: "/api/v1/auth/login", kind: "html" });
      return readRefund(name);
    });
    onTestFinished(() => read.mockRestore());
    const before = monnify.refunds.sum();
    expect(await bank.returnTransfer(kept)).toBe("unknown");
    expect(monnify.refunds.sum()).toBe(before);
  });

  test("whose answer names another amount is unknown", async () => {
    const { account, reference } = await open();
    const sessionId = await monnify.pay(account.accountNumber, 250_000);
    const kept = { sessionId, accountReference: reference, amount: naira(2_500) };
    await until(async () => (await bank.returnTransfer(kept)) === "returned");
    monnify.wire.changeNextAnswer((value) => (value === 2_500 ? 2_499 : value));
    expect(await bank.returnTransfer(kept)).toBe("unknown");
    expect(await bank.returnTransfer(kept)).toBe("returned");
  });

  test("that fails is failed", async () => {
    const { account, reference } = await open();
    const sessionId = await monnify.pay(account.accountNumber, 250_000);
    monnify.refunds.endNext("FAILED");
    await until(async () => (await bank.returnTransfer({ sessionId, accountReference: reference, amount: naira(2_500) })) === "failed");
  });
});
