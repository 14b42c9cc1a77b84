import { createHmac } from "node:crypto";
import { describe, expect, test, vi } from "vitest";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { VECTOR } from "#testing/providers/squad/vector.ts";
import { describeBank } from "../bank.conformance.ts";
import type { Bank } from "../bank.ts";
import { payerOf } from "../payer.ts";
import { squadBank } from "./bank.ts";
import { isFromSquad } from "./signature.ts";

const squad = withSquad();
// For the settings, which the log needs.
withDatabase();
/** No server listens at this port. */
const NOWHERE = "http://127.0.0.1:9";

const bankAt = (url: string): Bank => squadBank({ url, secretKey: squad.secretKey });

describeBank("squad", () => ({
  bank: bankAt(squad.url),
  unreachable: bankAt(NOWHERE),
  loseNextAnswer: () => squad.wire.failNext({ path: "/", kind: "lost" }),
  changeNextAnswer: (change) => squad.wire.changeNextAnswer(change),
  pay: ({ accountNumber }, amount) => squad.pay(accountNumber, Number(amount.minor)),
  passDay: async () => {},
  endTime: async (reference) => squad.books.endTime(reference),
  notices: async () => squad.notices.map(({ headers, body }) => ({ headers: new Headers(headers), body })),
}));

let count = 0;
async function open(amount = naira(2_500)) {
  const reference = `OJA${process.pid}${count++}`;
  const request = { reference, amount, accountName: "Ada's Shop", validForMs: 1_800_000, payer: payerOf(reference, "shop.example") };
  const bank = bankAt(squad.url);
  const outcome = await bank.openAccount(request);
  if (outcome.status !== "opened") throw new Error(outcome.status);
  return { bank, request, account: outcome.account, toRead: { reference, amount } };
}

describe("a signature of Squad", () => {
  const signed = (text: string) => createHmac("sha512", VECTOR.key).update(text).digest("hex");

  test("is that of the vector, in any case, and of no other key or field", () => {
    const { key, fields, signature } = VECTOR;
    expect(isFromSquad(key, fields, signature)).toBe(true);
    expect(isFromSquad(key, fields, signature.toUpperCase())).toBe(true);
    expect(isFromSquad(`${key}x`, fields, signature)).toBe(false);
    for (const name of ["transaction_reference", "amount_received", "merchant_reference"] as const)
      expect(isFromSquad(key, { ...fields, [name]: `${fields[name]}0` }, signature)).toBe(false);
    for (const bad of [null, "", signature.slice(1), `${signature}0`, signature.replace(/^f/, "e"), signature.replace(/^f/, "g")])
      expect(isFromSquad(key, fields, bad)).toBe(false);
  });

  test("is also that of a text with spaces, and of one in which Squad escapes characters", () => {
    const spaced =
      '{"transaction_reference": "REF20261009S1_M1_0900000001", "amount_received": "2500.00", "merchant_reference": "ojaacc01"}';
    expect(isFromSquad(VECTOR.key, VECTOR.fields, signed(spaced))).toBe(true);
    const fields = { ...VECTOR.fields, transaction_reference: "REF/1+2&é" };
    const escaped = '{"transaction_reference":"REF/1\\u002B2\\u0026\\u00E9","amount_received":"2500.00","merchant_reference":"ojaacc01"}';
    expect(isFromSquad(VECTOR.key, fields, signed(escaped))).toBe(true);
    expect(isFromSquad(VECTOR.key, VECTOR.fields, signed(escaped))).toBe(false);
  });
});

describe("a notice of Squad", () => {
  const read = (notice: Record<string, unknown>, key?: string) => {
    const { headers, body } = squad.sign(notice, key);
    return bankAt(squad.url).readNotice(new Headers(headers), body);
  };
  const fields = { ...VECTOR.fields, transaction_type: "dynamic_virtual_account", transaction_status: "SUCCESS" };

  test("makes us read its account, whatever its unsigned status and date say", () => {
    for (const status of ["SUCCESS", "MISMATCH", "EXPIRED", undefined])
      expect(read({ ...fields, transaction_status: status, date: "1999-01-01" })).toEqual({ accountToRead: "ojaacc01" });
    const { transaction_type: _, ...older } = fields;
    expect(read(older)).toEqual({ accountToRead: "ojaacc01" });
  });

  test("of another product is irrelevant, and is refused if another key signed it or a signed field is missing", () => {
    expect(read({ ...fields, transaction_type: "virtual_account" })).toBe("irrelevant");
    expect(read(fields, "sk_of_another_business")).toBeUndefined();
    for (const name of ["transaction_reference", "amount_received", "merchant_reference"]) {
      expect(read({ ...fields, [name]: undefined })).toBeUndefined();
      expect(read({ ...fields, [name]: 2_500 })).toBeUndefined();
    }
  });
});

describe("an opening at Squad", () => {
  test("asks for kobo and for seconds that last longer than the link, and sends the key and no name of a person", async () => {
    const { account, toRead } = await open(naira(100));
    expect(account).toMatchObject({ accountName: "Oja Payments", bankName: "GTBank", checkoutUrl: null });
    expect(squad.wire.requests.at(-1)).toBe("POST /virtual-account/initiate-dynamic-virtual-account");
    expect(squad.wire.bodies.at(-1)).toEqual({
      ...{ amount: 10_000, duration: 1_808, email: `${toRead.reference.toLowerCase()}@shop.example`, transaction_ref: toRead.reference },
    });
  });

  test.each(["lost", "cut", "html", "error", "empty", "long", "busy"] as const)("is unknown after an answer that is %s", async (kind) => {
    const { bank, request } = await open();
    squad.wire.failNext({ path: "/virtual-account", kind });
    expect(await bank.openAccount({ ...request, reference: `${request.reference}X` })).toEqual({ status: "unknown" });
  });

  test("of an account that ends before its link is refused, and of one that ends later is not", async () => {
    const { bank, request } = await open();
    squad.books.shiftEnds(-60_000);
    expect((await bank.openAccount({ ...request, reference: `${request.reference}A` })).status).toBe("refused");
    squad.books.shiftEnds(60_000);
    expect((await bank.openAccount({ ...request, reference: `${request.reference}B` })).status).toBe("opened");
    squad.books.shiftEnds(0);
  });

  test("is refused where the pool is empty, and with a wrong key", async () => {
    const { request } = await open();
    const next = { ...request, reference: `${request.reference}A` };
    squad.books.emptyPool(true);
    const refused = { status: "refused", reason: "The bank did not accept the request." };
    expect(await bankAt(squad.url).openAccount(next)).toEqual(refused);
    squad.books.emptyPool(false);
    expect(await squadBank({ url: squad.url, secretKey: "sk_wrong" }).openAccount(next)).toEqual(refused);
    expect(await squadBank({ url: squad.url, secretKey: "sk_wrong" }).isUp()).toBe(false);
    expect((await bankAt(squad.url).openAccount(next)).status).toBe("opened");
  });

  test.each([
    [400, "Duplicate transaction reference", "exists"],
    [400, "Transaction reference already exists", "exists"],
    [400, "Reference has been used", "exists"],
    [400, "Merchant does not exist", "refused"],
    [400, "All accounts already in use", "refused"],
    [429, "Too many requests", "unknown"],
    [500, "Duplicate transaction reference", "unknown"],
  ])("that is answered by %i %s is %s", async (status, message, outcome) => {
    const { bank, request } = await open();
    const initiate = vi.spyOn(squad.books, "initiate");
    initiate.mockReturnValueOnce({ status, body: { status, success: false, message, data: {} } });
    expect((await bank.openAccount({ ...request, reference: `${request.reference}${status}` })).status).toBe(outcome);
    initiate.mockRestore();
  });

  test("for another amount than the one that was asked for is unknown, and so is a blocked account", async () => {
    const { bank, request } = await open();
    for (const [from, to] of [
      ["2500.00", "25000.00"],
      ["NGN", "USD"],
      [false, true],
    ]) {
      squad.wire.changeNextAnswer((value) => (value === from ? to : value));
      expect(await bank.openAccount({ ...request, reference: `${request.reference}${String(to)}` })).toEqual({ status: "unknown" });
    }
  });
});

describe("a reading at Squad", () => {
  const untold = { amount: null, accountNumber: null, senderName: null };

  test("gives the amount of the account to the one exact transfer in time, and none to others", async () => {
    const { bank, account, toRead } = await open();
    const wrong = await squad.pay(account.accountNumber, 249_999);
    const exact = await squad.pay(account.accountNumber, 250_000);
    const second = await squad.pay(account.accountNumber, 250_000);
    expect(await bank.readAccount(toRead)).toMatchObject({
      status: "read",
      transfers: [
        { sessionId: wrong, ...untold, returnedBecause: "other" },
        { sessionId: exact, ...untold, amount: naira(2_500), returnedBecause: null },
        { sessionId: second, ...untold, returnedBecause: "late_or_duplicate" },
      ],
    });
  });

  test("names the payment alike if Squad tells another time of it", async () => {
    const { bank, account, toRead } = await open();
    const session = await squad.pay(account.accountNumber, 250_000);
    squad.wire.changeNextAnswer((value) => (/^\d{4}-.*T.*Z$/.test(String(value)) ? "2026-01-02T03:04:05.678Z" : value));
    for (const time of [new Date("2026-01-02T03:04:05.678Z"), expect.any(Date)])
      expect(await bank.readAccount(toRead)).toMatchObject({ transfers: [{ sessionId: session, amount: naira(2_500), receivedAt: time }] });
  });

  test("gives no amount to a late transfer", async () => {
    const { bank, account, toRead } = await open();
    squad.books.endTime(toRead.reference);
    const late = await squad.pay(account.accountNumber, 250_000);
    expect(await bank.readAccount(toRead)).toMatchObject({
      transfers: [{ sessionId: late, ...untold, returnedBecause: "late_or_duplicate" }],
    });
  });

  test("shows no transfer of an earlier account with the same number", async () => {
    const { account, toRead, bank } = await open();
    await squad.pay(account.accountNumber, 250_000);
    let again = await open();
    while (again.account.accountNumber !== account.accountNumber) again = await open();
    expect(await bank.readAccount(again.toRead)).toEqual({ status: "read", transfers: [] });
    await squad.pay(account.accountNumber, 250_000);
    const readings = await Promise.all([toRead, again.toRead].map(bank.readAccount));
    expect(readings.map((reading) => reading.status === "read" && reading.transfers.length)).toEqual([1, 1]);
  });

  test("of a payment that Squad sends back is unclear, and so is one of two payments", async () => {
    const { bank, account, toRead } = await open();
    await squad.pay(account.accountNumber, 250_000);
    squad.books.refundLast(toRead.reference);
    const unclear = { status: "unknown", unclear: "Squad says that an account was paid twice, or that a payment of it goes back." };
    expect(await bank.readAccount(toRead)).toEqual(unclear);
    const twice = await open();
    await squad.pay(twice.account.accountNumber, 250_000);
    await squad.pay(twice.account.accountNumber, 250_000);
    squad.wire.changeNextAnswer((value) => (value === "EXPIRED" ? "SUCCESS" : value));
    expect(await bank.readAccount(twice.toRead)).toEqual(unclear);
  });

  test("of a wrong transfer that Squad has sent back is as before", async () => {
    const { bank, account, toRead } = await open();
    await squad.pay(account.accountNumber, 1_000);
    const before = await bank.readAccount(toRead);
    squad.books.refundLast(toRead.reference);
    expect(await bank.readAccount(toRead)).toEqual(before);
  });

  test.each([
    [404, "Merchant not found", "unknown"],
    [400, "Transaction not found", "unknown"],
    [404, "Transaction not found", "not_found"],
  ])("that is answered by %i %s is %s", async (status, message, outcome) => {
    const { bank, toRead } = await open();
    const requery = vi.spyOn(squad.books, "requery");
    requery.mockReturnValueOnce({ status, body: { status, success: false, message, data: {} } });
    expect(await bank.readAccount(toRead)).toEqual({ status: outcome });
    requery.mockRestore();
  });

  test.each(["lost", "cut", "html", "error", "empty", "long", "busy"] as const)("is unknown after an answer that is %s", async (kind) => {
    const { bank, toRead } = await open();
    squad.wire.failNext({ path: "/virtual-account", kind });
    expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
  });

  test("with a status that we do not know, or with fewer rows than Squad counts, is unknown", async () => {
    const { bank, account, toRead } = await open();
    await squad.pay(account.accountNumber, 250_000);
    for (const [from, to] of [
      ["SUCCESS", "PONDERING"],
      ["SUCCESS", "toString"],
      [1, 2],
    ]) {
      squad.wire.changeNextAnswer((value) => (value === from ? to : value));
      expect(await bank.readAccount(toRead)).toEqual({ status: "unknown" });
    }
    expect((await bank.readAccount(toRead)).status).toBe("read");
  });
});
