import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { lagosDay, startOfLagosDay } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { times, until } from "#testing/until.ts";
import { aLink, hear, noticeOf } from "../../checkout/checkout.fixture.ts";
import { restrict } from "../../members/index.ts";
import { aMember, asMember } from "../../members/member.fixture.ts";
import { anOperator, byOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { getPayoutRoom, getPayoutRules, quotePayout, removeBankAccount, setPayoutFee, setPayoutLimits, setPayoutRules } from "../index.ts";
import { settle } from "../paying/settle.ts";
import { aBankAccount, aClaimedPayout, aLivePayoutMerchant, aPayoutMerchant, chosenRules, FAILED, PAYOUT } from "../payouts.fixture.ts";
import { lockMerchant } from "../rows.ts";
import { type ChosenRules, figuresOfRules, tightened } from "./tighten.ts";

withDatabase();
withApp();

const MAX_DELAY_MS = 30 * 86_400_000;
const set = ({ ctx }: TestMerchant, changes: Partial<ChosenRules>) => setPayoutRules(byOperator(ctx), chosenRules(changes));
const rulesOf = ({ ctx }: TestMerchant) => getPayoutRules(ctx);
const hoursUntil = (at: Date | null | undefined): number => ((at?.getTime() ?? Number.NaN) - Date.now()) / 3_600_000;
const LIMIT = { code: "LIMIT_EXCEEDED" };

/** Changes the rules in a transaction that began after `work`, and commits before `work` has the merchant's lock. */
async function afterATightening(shop: TestMerchant, work: () => Promise<unknown>): Promise<void> {
  let working: Promise<unknown> | undefined;
  await transaction(async (tx) => {
    await lockMerchant(tx, shop.merchant.id);
    working = outsideTransaction(work);
    working.catch(() => undefined);
    await outsideTransaction(() => until(isLockAwaited));
    await tx.execute(`
      insert into payout_rules (merchant_id, max_a_day, automatic_reserve, made_by, valid_from)
      values ('${shop.merchant.id}', 0, 0, 'cli:operator', date_trunc('milliseconds', clock_timestamp()))`);
  });
  await working;
}

describe("the rules of a business", () => {
  test("begin at once in test mode, also those that allow more", async () => {
    const shop = await aPayoutMerchant();
    await set(shop, { maxAmount: naira(10_000) });
    await set(shop, { maxAmount: naira(50_000) });
    expect(await rulesOf(shop)).toMatchObject({ now: { maxAmount: naira(50_000) }, next: undefined });
  });

  test("begin at once in live mode where they allow less, and 24 h later where they allow more", async () => {
    const shop = await aLivePayoutMerchant();
    await set(shop, { maxAmount: naira(50_000), maxADay: naira(100_000) });
    expect(await rulesOf(shop)).toMatchObject({ now: { maxAmount: naira(50_000) }, next: undefined });
    await set(shop, { maxAmount: naira(10_000), maxADay: naira(900_000) });
    const { now, next } = await rulesOf(shop);
    expect(now).toMatchObject({ maxAmount: naira(10_000), maxADay: naira(100_000) });
    expect(next).toMatchObject({ maxAmount: naira(10_000), maxADay: naira(900_000) });
    expect(hoursUntil(next?.validFrom)).toBeCloseTo(24, 1);
    await sql()`update payout_rules set valid_from = now() where merchant_id = ${shop.merchant.id} and valid_from > now()`;
    expect(await rulesOf(shop)).toMatchObject({ now: { maxADay: naira(900_000) }, next: undefined });
  });

  test("replace the ones that wait", async () => {
    const shop = await aLivePayoutMerchant();
    await set(shop, { maxADay: naira(10_000) });
    await set(shop, { maxADay: naira(20_000) });
    await set(shop, { maxADay: naira(10_000) });
    expect(await rulesOf(shop)).toMatchObject({ now: { maxADay: naira(10_000) }, next: undefined });
  });

  test("never allow more at once than before, whatever is chosen", () => {
    const limit = fc.option(fc.integer({ min: 0, max: 3 }).map(naira));
    const rules: fc.Arbitrary<ChosenRules> = fc
      .record({
        ...{ maxAmount: limit, maxADay: limit, twoPeopleAbove: limit, automaticReserve: fc.integer({ min: 0, max: 3 }).map(naira) },
        automatics: fc.option(fc.record({ automatic: fc.constantFrom("day", "week"), automaticAccountId: fc.constantFrom("a", "b") })),
      })
      .map(({ automatics, ...rest }) => ({ ...rest, ...(automatics ?? { automatic: null, automaticAccountId: null }) }));
    /** No limit is the highest. */
    const koboOf = (limit: { minor: bigint } | null) => Number(limit?.minor ?? 10n ** 12n);
    fc.assert(
      fc.property(rules, rules, (before, wanted) => {
        const atOnce = tightened(before, wanted);
        for (const key of ["maxAmount", "maxADay", "twoPeopleAbove"] as const) {
          expect(koboOf(atOnce[key])).toBe(Math.min(koboOf(wanted[key]), koboOf(before[key])));
        }
        if (atOnce.automatic !== null) {
          expect(atOnce.automaticAccountId).toBe(before.automaticAccountId);
          expect(atOnce.automaticReserve.minor).toBeGreaterThanOrEqual(before.automaticReserve.minor);
        }
        expect(figuresOfRules(tightened(wanted, wanted))).toEqual(figuresOfRules(wanted));
      }),
    );
  });

  test("are not loosened by a change that began before another tightened them", async () => {
    const shop = await aLivePayoutMerchant();
    await afterATightening(shop, () => set(shop, {}));
    expect(await rulesOf(shop)).toMatchObject({ now: { maxADay: naira(0) }, next: { maxADay: null } });
  });

  test("that ten people change at once are those of the last one, with a note in the audit of each change", async () => {
    const shop = await aPayoutMerchant();
    await Promise.all(times(10, (n) => set(shop, { maxAmount: naira(1_000 + n) })));
    const notes = await sql()<{ after: { max_amount: string } }[]>`
      select after from audit_entries where subject = ${shop.merchant.id} and action = 'payout_rules.changed' order by seq`;
    expect(notes).toHaveLength(10);
    expect((await rulesOf(shop)).now.maxAmount?.minor).toBe(BigInt(notes.at(-1)?.after.max_amount ?? 0));
  });

  test("name an account of the business that is not removed, and two people only where there are two", async () => {
    const [shop, other] = [await aPayoutMerchant(), await aPayoutMerchant()];
    const [removed, theirs] = [await aBankAccount(shop), await aBankAccount(other)];
    await removeBankAccount(byOperator(shop.ctx), removed);
    await expect(set(shop, { automatic: "day", automaticAccountId: removed })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(set(shop, { automatic: "day", automaticAccountId: theirs })).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await expect(set(shop, { automatic: "day" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(set(shop, { twoPeopleAbove: naira(1) })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await aMember(shop.merchant.businessId, "admin");
    await set(shop, { twoPeopleAbove: naira(1) });
    expect((await rulesOf(shop)).now.twoPeopleAbove).toEqual(naira(1));
  });

  test("are changed in live mode with a second factor, by a member who is not restricted", async () => {
    const shop = await aLivePayoutMerchant();
    const owner = await aMember(shop.merchant.businessId, "owner");
    const ctx = asMember(shop.ctx, owner);
    await expect(setPayoutRules(withProof(ctx, "manage_payouts"), chosenRules())).rejects.toThrow("without one");
    const proven = withProof(ctx, "manage_payouts", { hasSecondFactor: true });
    await setPayoutRules(proven, chosenRules({ maxADay: naira(1) }));
    await transaction((tx) => restrict(tx, owner.userId));
    await expect(setPayoutRules(proven, chosenRules())).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });
});

describe("a payout is refused", () => {
  test("above the business's limit of one, and above the operator's, with nothing stored", async () => {
    const shop = await aPayoutMerchant();
    await set(shop, { maxAmount: naira(24_999) });
    await expect(aClaimedPayout(shop)).rejects.toMatchObject({ ...LIMIT, message: expect.stringContaining("24,999") });
    await set(shop, {});
    await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(20_000), maxADay: naira(100_000), delayMs: 0 });
    await expect(aClaimedPayout(shop)).rejects.toMatchObject({ ...LIMIT, message: expect.stringContaining("20,000") });
    const rows = await sql()`select from payouts where merchant_id = ${shop.merchant.id}`;
    expect(rows).toHaveLength(0);
  });

  test.each(["the business's", "the operator's"])(
    "above %s limit of a day, of which five at once use no more than there is",
    async (whose) => {
      const shop = await aPayoutMerchant();
      if (whose === "the business's") await set(shop, { maxADay: naira(60_000) });
      else await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(50_000), maxADay: naira(60_000), delayMs: 0 });
      const bankAccountId = await aBankAccount(shop);
      const results = await Promise.allSettled(times(5, () => aClaimedPayout(shop, { bankAccountId })));
      const refused = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
      expect(refused).toHaveLength(3);
      for (const reason of refused) expect(reason).toMatchObject(LIMIT);
      await expectInvariantsToHold();
    },
  );

  test("by the sum of its day in Lagos, which forgets yesterday's payouts and those that failed", async () => {
    const shop = await aPayoutMerchant();
    await set(shop, { maxADay: PAYOUT });
    const first = await aClaimedPayout(shop);
    const midnight = startOfLagosDay(lagosDay(new Date()));
    const moveTo = (at: Date) => sql()`update payouts set created_at = ${at.toISOString()} where id = ${first.id}`;
    await moveTo(midnight);
    await expect(aClaimedPayout(shop)).rejects.toMatchObject(LIMIT);
    await moveTo(new Date(midnight.getTime() - 1));
    const second = await aClaimedPayout(shop);
    await expect(aClaimedPayout(shop)).rejects.toMatchObject(LIMIT);
    await settle(second, FAILED, 0);
    await aClaimedPayout(shop);
  });

  test("by rules that were tightened while it waited for them", async () => {
    const shop = await aPayoutMerchant();
    const bankAccountId = await aBankAccount(shop);
    await expect(afterATightening(shop, () => aClaimedPayout(shop, { bankAccountId }))).rejects.toMatchObject(LIMIT);
  });

  test("above the sum for two people, also in parts, until the sum's day is over", async () => {
    const shop = await aPayoutMerchant();
    await aMember(shop.merchant.businessId, "admin");
    await set(shop, { twoPeopleAbove: naira(40_000) });
    const bankAccountId = await aBankAccount(shop);
    const results = await Promise.allSettled(times(3, () => aClaimedPayout(shop, { bankAccountId })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await aClaimedPayout(shop, { bankAccountId, amount: naira(15_000) });
    await expect(aClaimedPayout(shop, { bankAccountId, amount: naira(100) })).rejects.toMatchObject(LIMIT);
    expect((await quotePayout(shop.ctx, naira(100))).needsSecondPerson).toBe(true);
  });

  test("for money of payment links that came within the operator's delay", async () => {
    const shop = await aPayoutMerchant({ wallet: 10_000 });
    await setPayoutLimits(anOperator, shop.merchant, { maxAmount: naira(50_000), maxADay: naira(100_000), delayMs: 3_600_000 });
    const link = await aLink(shop, { amount: 5_000 });
    await hear(noticeOf(link));
    expect(await getPayoutRoom(shop.ctx)).toMatchObject({ available: naira(15_000), fresh: naira(5_000), payable: naira(10_000) });
    const refusal = { code: "INSUFFICIENT_BALANCE", message: expect.stringContaining("too short a time ago") };
    await expect(aClaimedPayout(shop, { amount: naira(10_001) })).rejects.toMatchObject(refusal);
    await sql()`update bank_transfers set created_at = created_at - interval '61 minutes' where merchant_id = ${shop.merchant.id}`;
    await aClaimedPayout(shop, { amount: naira(10_001) });
    await expectInvariantsToHold();
  });
});

describe("an operator", () => {
  test("sets fee and limits of one merchant before those of its mode, with notes in the audit", async () => {
    const [shop, other] = [await aPayoutMerchant(), await aPayoutMerchant()];
    const platform = { id: "mer_platform_test", mode: "test" } as const;
    const flat = (kobo: bigint) => ({ flat: kobo, bps: 0, minimum: 0n, maximum: null });
    await setPayoutFee(anOperator, platform, flat(1_000n));
    await setPayoutFee(anOperator, shop.merchant, flat(2_000n));
    expect((await quotePayout(shop.ctx, PAYOUT)).fee.minor).toBe(2_000n);
    expect((await quotePayout(other.ctx, PAYOUT)).fee.minor).toBe(1_000n);
    await setPayoutFee(anOperator, platform, flat(0n));
    const [note] = await sql()<{ before: object; after: object }[]>`
      select before, after from audit_entries where action = 'payout_fee.set' and subject = ${shop.merchant.id}`;
    expect(note).toMatchObject({ before: { flat: "1000" }, after: { flat: "2000" } });
  });

  test("sets a delay of at most 30 days", async () => {
    const shop = await aPayoutMerchant();
    const limits = { maxAmount: naira(1), maxADay: naira(1), delayMs: MAX_DELAY_MS + 1 };
    await expect(setPayoutLimits(anOperator, shop.merchant, limits)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("changes a fee for later payouts alone", async () => {
    const shop = await aPayoutMerchant();
    const before = await aClaimedPayout(shop);
    await setPayoutFee(anOperator, shop.merchant, { flat: 2_500n, bps: 0, minimum: 0n, maximum: null });
    const after = await aClaimedPayout(shop);
    expect([before.fee, after.fee]).toEqual([0n, 2_500n]);
  });
});
