import { beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import type { LiveCheck } from "#providers/live-checks.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withMonnify } from "#testing/providers/monnify/simulator.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { withSquad } from "#testing/providers/squad/simulator.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../approved.fixture.ts";
import { resolveDueRefunds } from "../checkout/index.ts";
import { systemContext } from "../context.ts";
import { bindProvider, setFallbackBanks, switchArea } from "../merchants/index.ts";
import { aMerchant, anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { banks, storeCheck, storeRoundTrip } from "../providers/index.ts";
import {
  beginRoundTrip,
  checkLive,
  getRoundTrip,
  getRoundTripRefund,
  listConfiguredBanks,
  readBankToUnlock,
  recordRoundTrip,
  refundRoundTrip,
  unlockLive,
} from "./index.ts";

const paystack = withPaystack();
const squad = withSquad();
const monnify = withMonnify();
withDatabase();
const app = withApp();
beforeAll(() => {
  for (const bank of [paystack, squad, monnify]) bank.noticeUrl = null;
});

const SIMULATORS = { paystack, squad, monnify };
const NAMES = Object.keys(SIMULATORS) as (keyof typeof SIMULATORS)[];

const problemsOf = (checks: LiveCheck[]) => checks.flatMap(({ problem }) => problem ?? []);
/** The tests' address is no public one, and no money has come. */
const HERE = [/^It is http:\/\/.*Set the public https address\.$/, /^That was not tried: npm run oja -- round-trip \w+$/];
const checkOf = async (bank: string) =>
  problemsOf(await checkLive(anOperator, bank)).filter((text) => !HERE.some((known) => known.test(text)));

describe.each(NAMES)("the check of %s", (name) => {
  beforeEach(() => sql()`delete from provider_checks`);

  test("finds nothing but the address of this test and that no money has come, and is not green for that", async () => {
    const checks = await checkLive(anOperator, name);
    expect(problemsOf(checks)).toEqual(HERE.map((text) => expect.stringMatching(text)));
    expect(checks.length).toBeGreaterThan(6);
    expect(await sql()`select is_green from provider_checks where provider = ${name}`).toEqual([{ is_green: false }]);
  });

  test("opens an account that no link has, and moves no money", async () => {
    const before = await sql()`select count(*) from ledger_transfers`;
    await checkLive(anOperator, name);
    expect(await sql()`select count(*) from ledger_transfers`).toEqual(before);
    expect(await sql()`select from one_time_accounts where account_reference like 'CHECK%'`).toHaveLength(0);
  });

  test.each(["lost", "html", "empty", "error"] as const)(
    "says that the bank does not answer where its first answer is %s, and leaks no key",
    async (kind) => {
      SIMULATORS[name].wire.failNext({ path: "/", kind });
      const problems = await checkOf(name);
      expect(problems.length).toBeGreaterThan(0);
      expect(problems.join(" ")).not.toContain(SIMULATORS[name].secretKey);
    },
  );

  test("says that an account could not be opened or read", async () => {
    const bank = banks.named(name);
    if (!bank) throw new Error(name);
    const made = banks.named.bind(banks);
    const named = vi.spyOn(banks, "named");
    onTestFinished(() => named.mockRestore());
    const played = (changes: Partial<typeof bank>) =>
      named.mockImplementation((asked) => (asked === name ? { ...bank, ...changes } : made(asked)));
    played({ openAccount: async () => ({ status: "refused", reason: "No." }) });
    expect(await checkOf(name)).toEqual([expect.stringContaining("The opening was refused.")]);
    played({ readAccount: async () => ({ status: "unknown" }) });
    expect(await checkOf(name)).toEqual(["It opened one, and did not say what has come to it. Check again in a minute."]);
  });

  test("says that a forged notice was taken", async () => {
    const { live } = banks.named(name) ?? {};
    if (!live) throw new Error(name);
    // Nothing in it is changed for the forged one, so that one is taken too.
    const notices = {
      paystack: paystack.sign('{"event":"self.test","data":{}}'),
      squad: squad.sign({ transaction_reference: "x", amount_received: "0.00", merchant_reference: "x", transaction_type: "self_test" }),
      monnify: monnify.sign('{"eventType":"SELF_TEST","eventData":{}}'),
    };
    const sign = vi.spyOn(live, "signedNotice").mockReturnValue(notices[name]);
    onTestFinished(() => sign.mockRestore());
    expect(await checkOf(name)).toEqual(["A forged notice was answered 200."]);
  });

  test("says that notices do not come through where another key signs them, or nothing answers at our address", async () => {
    const bank = banks.named(name);
    const { live } = bank ?? {};
    if (!live) throw new Error(name);
    const signed = live.signedNotice();
    const sign = vi.spyOn(live, "signedNotice").mockReturnValue({ ...signed, body: `${signed.body} ` });
    onTestFinished(() => sign.mockRestore());
    const problems = await checkOf(name);
    // Squad does not sign all of a body.
    expect(problems).toEqual(
      name === "squad" ? [] : ["A notice that is signed with our key was answered 401. Does the web process have the same settings?"],
    );
    sign.mockReturnValue({ ...signed, headers: {} });
    expect(await checkOf(name)).toEqual([expect.stringContaining("was answered 401")]);
  });
});

test("the check of Paystack says that it does not list banks", async () => {
  paystack.wire.failNext({ path: "/bank", kind: "error" });
  expect(await checkOf("paystack")).toEqual([expect.stringMatching(/^Paystack answered 500/)]);
});

test("the check of Squad says that the pool is empty, and how many notices wait", async () => {
  squad.books.emptyPool(true);
  squad.undelivered.push({ id: "1", payload: {}, transaction_ref: "REF1" });
  onTestFinished(() => {
    squad.books.emptyPool(false);
    squad.undelivered.splice(0);
  });
  expect(await checkOf("squad")).toEqual([
    expect.stringMatching(/^It is empty\./),
    expect.stringMatching(/^1 do\. Look at the webhook URL/),
    expect.stringContaining("The opening was refused."),
  ]);
});

test("the check of a bank whose clock differs by more than 30 s says so", async () => {
  const clock = vi.spyOn(Date, "now").mockImplementation(() => performance.timeOrigin + performance.now() + 61_000);
  onTestFinished(() => clock.mockRestore());
  expect(await checkOf("paystack")).toContainEqual(
    expect.stringMatching(/^They differ by 6\d s\. Let this server keep its time by NTP\.$/),
  );
});

test("all three banks have their settings, and none of test mode is checked", async () => {
  expect(listConfiguredBanks()).toEqual(["paystack", "squad", "monnify"]);
  await expect(checkLive(anOperator, "sandbox")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

describe("a round trip", () => {
  beforeEach(() => sql()`delete from provider_checks`);
  /** Returns the kobo in the platform's wallet, which is made with its first money. */
  const platform = async () =>
    (
      await sql()<{ kobo: bigint }[]>`
        select posted_credits - posted_debits as kobo from ledger_accounts where merchant_id = 'mer_platform_live' and account = 'wallet'`
    )[0]?.kobo ?? 0n;

  test.each([
    ["paystack", "/api/providers/paystack/notices"],
    ["monnify", "/api/providers/monnify/notices"],
  ] as const)("at %s brings ₦100 by a notice and sends them back by a refund", async (name, path) => {
    const bank = SIMULATORS[name];
    bank.noticeUrl = `${app.url}${path}`;
    onTestFinished(() => {
      bank.noticeUrl = null;
    });
    const before = await platform();
    const { reference, accountNumber, amount } = await beginRoundTrip(anOperator, name);
    expect(amount).toEqual(naira(100));
    await expect(refundRoundTrip(anOperator, name, reference)).rejects.toThrow();
    await bank.pay(accountNumber, 10_000);
    expect((await getRoundTrip(anOperator, name, reference)).status).toBe("success");
    await expect(recordRoundTrip(anOperator, name, reference)).rejects.toThrow("is not over");
    const refund = await refundRoundTrip(anOperator, name, reference);
    if (!refund) throw new Error("no refund");
    expect(refund).toMatchObject({ amount: naira(100), route: "bank" });
    await until(async () => {
      await sql()`update refunds set next_attempt_at = now() - interval '1 s'`;
      await resolveDueRefunds(systemContext("test"));
      return (await getRoundTripRefund(anOperator, name, refund.id)).status === "paid";
    });
    // An operator who goes on with a round trip refunds nothing twice.
    expect((await refundRoundTrip(anOperator, name, reference))?.id).toBe(refund.id);
    await recordRoundTrip(anOperator, name, reference);
    expect(await checkOf(name)).toEqual([]);
    expect(problemsOf(await checkLive(anOperator, name))).toHaveLength(1);
    expect(await platform()).toBe(before);
    await expectInvariantsToHold();
  });

  test("at Squad, which refunds nothing by itself, leaves ₦100 in the wallet of the platform", async () => {
    squad.noticeUrl = `${app.url}/api/providers/squad/notices`;
    onTestFinished(() => {
      squad.noticeUrl = null;
    });
    const before = await platform();
    const { reference, accountNumber } = await beginRoundTrip(anOperator, "squad");
    await squad.pay(accountNumber, 10_000);
    expect(await refundRoundTrip(anOperator, "squad", reference)).toBeUndefined();
    await recordRoundTrip(anOperator, "squad", reference);
    expect((await platform()) - before).toBe(10_000n);
    await expectInvariantsToHold();
  });
});

test.each([
  ["is older than 30 days", "round_trip_at = now() - interval '31 days'"],
  ["was made with other settings", "round_trip_fingerprint = 'other'"],
])("a round trip that %s does not count", async (_, change) => {
  await sql()`delete from provider_checks`;
  await storeRoundTrip("paystack");
  expect(problemsOf(await checkLive(anOperator, "paystack"))).toHaveLength(1);
  await sql().unsafe(`update provider_checks set ${change}`);
  expect(problemsOf(await checkLive(anOperator, "paystack"))).toHaveLength(2);
});

describe("live mode of a merchant", () => {
  let shop: TestMerchant;
  beforeEach(async () => {
    await sql()`delete from provider_checks`;
    shop = await aMerchant();
  });
  async function checkedAgo(hours: number, isGreen = true): Promise<void> {
    await storeCheck("paystack", isGreen);
    await sql()`update provider_checks set checked_at = now() - ${hours} * interval '1 h'`;
  }
  const unlock = () => decidedByTwo((by) => unlockLive(by, shop.liveMerchantId, "Their papers are in order"));

  test("opens once for five operators at once, with a bank whose green check is of the last day, and then takes areas", async () => {
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    await checkedAgo(23);
    const enable = () => switchArea(anOperator, shop.liveMerchantId, "checkout", true);
    await expect(enable()).rejects.toThrow(/^Live mode of mer_\w+ is locked/);
    expect((await Promise.all(times(5, unlock))).filter(Boolean)).toHaveLength(1);
    await enable();
    const noted = await sql()`
      select action, reason, after from audit_entries where subject = ${shop.liveMerchantId} and action in ('live.unlocked', 'area.enabled') order by seq`;
    expect(noted).toMatchObject([
      { action: "live.unlocked", reason: "Their papers are in order", after: { bank: "paystack" } },
      { action: "area.enabled" },
    ]);
  });

  test.each([
    ["no bank", async () => {}, /It has no bank/],
    ["a bank that was never checked", async () => {}, /was not checked within 24 hours/],
    ["a check that is older than a day", () => checkedAgo(25), /was not checked within 24 hours/],
    [
      "a check with other settings",
      async () => {
        await checkedAgo(1);
        await sql()`update provider_checks set check_fingerprint = 'other'`;
      },
      /was not checked within 24 hours with the settings of now/,
    ],
    ["a check that is not green", () => checkedAgo(1, false), /found a problem/],
  ] as const)("stays locked with %s", async (what, prepare, message) => {
    if (what !== "no bank") await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    await prepare();
    await expect(unlock()).rejects.toThrow(message);
    expect(await sql()`select from merchants where id = ${shop.liveMerchantId} and live_unlocked_at is not null`).toHaveLength(0);
  });

  test("that is open takes no other bank, and none to fall back on, without a green check of it", async () => {
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    await checkedAgo(1);
    await unlock();
    await expect(bindProvider(anOperator, shop.liveMerchantId, "bank", "squad")).rejects.toThrow(/^squad was not checked/);
    await expect(setFallbackBanks(anOperator, shop.liveMerchantId, ["squad"])).rejects.toThrow(/^squad was not checked/);
    await storeCheck("squad", true);
    await setFallbackBanks(anOperator, shop.liveMerchantId, ["squad"]);
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "squad");
  });

  test("stays locked where its bank is another one than the operators have seen", async () => {
    await bindProvider(anOperator, shop.liveMerchantId, "bank", "paystack");
    await checkedAgo(1);
    expect(await readBankToUnlock(shop.liveMerchantId)).toBe("paystack");
    const unlockSeen = (bank: string) => decidedByTwo((by) => unlockLive(by, shop.liveMerchantId, "x", bank));
    expect(await unlockSeen("squad")).toBe(false);
    expect(await sql()`select from merchants where id = ${shop.liveMerchantId} and live_unlocked_at is not null`).toHaveLength(0);
    expect(await unlockSeen("paystack")).toBe(true);
  });

  test("needs a reason, a merchant of live mode other than the platform's, and an operator", async () => {
    await expect(decidedByTwo((by) => unlockLive(by, "mer_platform_live", "x"))).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(decidedByTwo((by) => unlockLive(by, shop.liveMerchantId, " "))).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(decidedByTwo((by) => unlockLive(by, shop.merchant.id, "x"))).rejects.toThrow(/test mode is always open/);
    await expect(decidedByTwo((by) => unlockLive(by, "mer_nobody", "x"))).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(unlockLive(shop.ctx as never, shop.liveMerchantId, "x")).rejects.toThrow(/called by api_key/);
    await expect(sql()`update merchants set live_unlocked_at = now() where id = ${shop.merchant.id}`).rejects.toThrow(
      /merchants_only_live_is_unlocked/,
    );
  });
});
