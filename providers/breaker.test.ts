import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { naira } from "#lib/money.ts";
import { withDatabase } from "#testing/database.ts";
import { listenOnLoopback } from "#testing/listen-on-loopback.ts";
import { FaultyServer } from "#testing/providers/faulty-server.ts";
import { times } from "#testing/until.ts";
import { payerOf } from "./payer.ts";
import { paystackBank } from "./paystack/bank.ts";
import { paystackPayoutBank } from "./paystack/payout-bank.ts";

// For the settings, which the log needs.
withDatabase();

let server: FaultyServer;
let answer: { status: number; body: object };
let bank: ReturnType<typeof paystackBank>;
let payouts: ReturnType<typeof paystackPayoutBank>;
beforeEach(async () => {
  answer = { status: 200, body: { status: true, data: [{ currency: "NGN" }] } };
  const own = new FaultyServer(() => answer);
  server = own;
  onTestFinished(() => own.close());
  const url = `http://127.0.0.1:${await listenOnLoopback(own.server)}`;
  bank = paystackBank({ url, secretKey: "sk_live_1", domain: "live", payerHost: "shop.example" });
  payouts = paystackPayoutBank({ url, secretKey: "sk_live_1", domain: "live" });
});

const fail = (kind: "lost" | "html" | "empty") => server.failNext({ path: "/", kind });
async function failTimes(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    fail((["lost", "html", "empty"] as const)[at % 3] ?? "lost");
    expect(await bank.isUp()).toBe(false);
  }
}
const later = (byMs: number) => {
  const now = Date.now();
  const clock = vi.spyOn(Date, "now").mockReturnValue(now + byMs);
  onTestFinished(() => clock.mockRestore());
};
const order = {
  ...{ reference: "po_0123456789abcdef", amount: naira(100), bankCode: "058", accountNumber: "0123456789" },
  ...{ accountName: "OWNER", narration: "x" },
};
const request = { reference: "OJA1", amount: naira(100), accountName: "x", validForMs: 1_800_000, payer: payerOf("OJA1", "shop.example") };

test("after five calls in a row without an answer the provider gets no request, and each call says at once that nothing was sent", async () => {
  await failTimes(5);
  const before = server.requests.length;
  expect(await bank.isUp()).toBe(false);
  expect(await bank.openAccount(request)).toEqual({ status: "refused", reason: "The bank could not be reached." });
  expect((await payouts.pay(order)).status).toBe("failed");
  expect(await payouts.readPayout(order)).toEqual({ status: "unknown" });
  expect(await bank.readAccount({ reference: "OJA1", amount: naira(100) })).toEqual({ status: "unknown" });
  expect(server.requests).toHaveLength(before);
});

test("ten seconds later one call tries, and the others follow once it is answered", async () => {
  await failTimes(5);
  later(10_001);
  const before = server.requests.length;
  expect(await bank.isUp()).toBe(true);
  expect((await Promise.all(times(5, () => bank.isUp()))).every(Boolean)).toBe(true);
  expect(server.requests).toHaveLength(before + 6);
});

test("a try that fails holds the provider back for ten more seconds", async () => {
  await failTimes(5);
  later(10_001);
  fail("lost");
  expect(await bank.isUp()).toBe(false);
  const before = server.requests.length;
  expect(await bank.isUp()).toBe(false);
  expect(server.requests).toHaveLength(before);
});

test("an answer in between, a refusal and the provider's own error hold nothing back, and a gateway's error does", async () => {
  await failTimes(4);
  expect(await bank.isUp()).toBe(true);
  await failTimes(4);
  for (const status of [500, 401, 429]) {
    answer = { status, body: { status: false, message: "No" } };
    for (let at = 0; at < 6; at++) await bank.isUp();
  }
  answer = { status: 200, body: { status: true, data: [] } };
  expect(await bank.isUp()).toBe(true);
  answer = { status: 503, body: { status: false, message: "No" } };
  for (let at = 0; at < 5; at++) await bank.isUp();
  answer = { status: 200, body: { status: true, data: [] } };
  expect(await bank.isUp()).toBe(false);
});

test("a provider that is held back holds back no other", async () => {
  await failTimes(5);
  const other = new FaultyServer(() => answer);
  onTestFinished(() => other.close());
  const url = `http://127.0.0.1:${await listenOnLoopback(other.server)}`;
  expect(await paystackBank({ url, secretKey: "sk_live_1", domain: "live", payerHost: "shop.example" }).isUp()).toBe(true);
});
