import { describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { newPayoutId } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { brokenAfter, expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { BY_TWO } from "../../by-two.fixture.ts";
import { operatorAlertsAbout } from "../../cards/cards.fixture.ts";
import { eventTypesOf } from "../../checkout/checkout.fixture.ts";
import { systemContext } from "../../context.ts";
import { anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { walletOf } from "../../vtu/vtu.fixture.ts";
import { createPayout, receivePayoutHint, resolveDuePayouts, setPayoutFee } from "../index.ts";
import { type PayoutRow, referenceOf } from "../payout.ts";
import {
  aBankAccount,
  aClaimedPayout,
  aPayoutMerchant,
  currentRow,
  FAILED,
  letPayoutAge,
  makeDue,
  orderPayoutFault,
  ordersAt,
  PAID,
  PAYOUT,
  PAYOUT_BANKS,
  payoutThatIs,
  REVERSED,
} from "../payouts.fixture.ts";
import { alertOnUndecidedPayouts } from "./alert-on-undecided.ts";
import { resolveIfDue } from "./resolve.ts";
import { settle } from "./settle.ts";
import { listStuckPayouts, settlePayoutByOperator } from "./settle-by-operator.ts";

withDatabase();
withApp();

const system = systemContext("test");
const withFee = (shop: TestMerchant) => setPayoutFee(anOperator, shop.merchant, { flat: 5_000n, bps: 10, minimum: 0n, maximum: null });
/** Kobo: ₦50 and a tenth of a percent. */
const FEE = 5_000n + PAYOUT.minor / 1_000n;
const FULL = 1_000_000_00n;

async function alertsOf(shop: TestMerchant): Promise<string[]> {
  const rows = await sql()<{ type: string }[]>`select type from alerts where merchant_id = ${shop.merchant.id} order by id`;
  return rows.map(({ type }) => type);
}

/** Kobo that the fees of payouts have earned. */
async function earned({ merchant }: TestMerchant): Promise<bigint> {
  const [row] = await sql()<{ earned: bigint }[]>`
    select posted_credits - posted_debits as earned from ledger_accounts where merchant_id = ${merchant.id} and account = 'revenue:payouts'`;
  return row?.earned ?? -1n;
}

describe("a payout", () => {
  test("is paid once, and takes amount and fee from the wallet", async () => {
    const shop = await aPayoutMerchant();
    await withFee(shop);
    const payout = await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop), amount: PAYOUT, narration: "Week 47" });
    expect(payout).toMatchObject({ status: "paid", amount: PAYOUT, fee: { minor: FEE }, total: { minor: PAYOUT.minor + FEE } });
    expect(payout).toMatchObject({ failureReason: null, sessionId: expect.stringMatching(/^\d{30}$/), narration: "Week 47" });
    expect(payout.reference).toBe(payout.id.toLowerCase());
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: FULL - PAYOUT.minor - FEE, held: 0n });
    expect(await earned(shop)).toBe(FEE);
    expect(await eventTypesOf(shop)).toEqual(["payout.paid"]);
    expect(await ordersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("that the bank refuses gives everything back, with one event and one alert", async () => {
    const shop = await aPayoutMerchant();
    await withFee(shop);
    const payout = await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop, "0000"), amount: PAYOUT });
    expect(payout).toMatchObject({ status: "failed", failureReason: "The account is closed.", sessionId: null });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: FULL, held: 0n });
    expect(await earned(shop)).toBe(0n);
    expect(await eventTypesOf(shop)).toEqual(["payout.failed"]);
    expect(await alertsOf(shop)).toEqual(["payout.failed"]);
    await expectInvariantsToHold();
  });

  test.each(PAYOUT_BANKS.flatMap((bank) => [[bank, "1111", "paid"] as const, [bank, "2222", "failed"] as const]))(
    "at %s to an account that ends in %s is processing, with its money held, and then %s",
    async (bank, ending, end) => {
      const shop = await aPayoutMerchant({ bank });
      const payout = await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop, ending), amount: PAYOUT });
      expect(payout.status).toBe("processing");
      expect(await walletOf(shop.merchant.id)).toEqual({ balance: FULL, held: PAYOUT.minor });
      if (bank === "sandbox-plain") {
        // This bank sends no notice, so the worker reads.
        await untilAtBank(payout.reference, end);
        await makeDue(payout);
        await resolveDuePayouts(system);
      }
      await payoutThatIs(end, payout);
      expect(await walletOf(shop.merchant.id)).toEqual({ balance: end === "paid" ? FULL - PAYOUT.minor : FULL, held: 0n });
      expect(await ordersAt(shop)).toBe(1);
      await expectInvariantsToHold();
    },
  );

  test("that comes back gives amount and fee back once, with an event and an alert", async () => {
    const shop = await aPayoutMerchant();
    await withFee(shop);
    const payout = await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop, "5555"), amount: PAYOUT });
    expect(payout.status).toBe("paid");
    await untilAtBank(payout.reference, "reversed");
    await Promise.all(times(5, () => receivePayoutHint(system, "sandbox", { payoutToRead: payout.reference })));
    const row = await payoutThatIs("reversed", payout);
    expect(row).toMatchObject({ failureReason: "The bank sent it back.", paidAt: expect.any(Date), endedAt: expect.any(Date) });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: FULL, held: 0n });
    expect(await earned(shop)).toBe(0n);
    expect(await eventTypesOf(shop)).toEqual(["payout.paid", "payout.reversed"]);
    expect(await alertsOf(shop)).toEqual(["payout.reversed"]);
    await expectInvariantsToHold();
  });

  test.each(["hang_after", "error_after", "nonsense", "unknown_word"] as const)(
    "whose answer is lost (%s) is never ordered again, and the worker reads that it was paid",
    async (fault) => {
      const shop = await aPayoutMerchant();
      const bankAccountId = await aBankAccount(shop);
      const [account] = await sql()<{ account_number: string }[]>`select account_number from bank_accounts where id = ${bankAccountId}`;
      await orderPayoutFault("sandbox", "pay", fault, account?.account_number);
      const payout = await createPayout(shop.ctx, { bankAccountId, amount: PAYOUT });
      expect(payout.status).toBe("processing");
      await makeDue(payout);
      await Promise.all(times(5, () => resolveDuePayouts(system)));
      expect((await currentRow(payout)).status).toBe("paid");
      expect(await ordersAt(shop)).toBe(1);
      await expectInvariantsToHold();
    },
    20_000,
  );

  test("that never reached its bank gives the money back once, not before the bank would know it, and operators are told", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await makeDue(payout);
    await resolveIfDue(payout);
    expect((await currentRow(payout)).status).toBe("processing");
    await letPayoutAge(payout);
    await Promise.all(times(5, () => resolveDuePayouts(system)));
    expect(await currentRow(payout)).toMatchObject({ status: "failed", failureReason: "The bank never received it." });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: FULL, held: 0n });
    expect(await ordersAt(shop)).toBe(0);
    expect(await sql()`select from alerts where type = 'payout.needs_operator' and resource_id = ${payout.id}`).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("is settled once by twenty answers at once", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await Promise.all(times(20, () => settle(payout, PAID, 0)));
    expect((await currentRow(payout)).status).toBe("paid");
    expect(await eventTypesOf(shop)).toEqual(["payout.paid"]);
    await expectInvariantsToHold();
  });

  test("does not change by an answer that was read under an earlier lease", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await sql()`update payouts set fencing_token = 1 where id = ${payout.id}`;
    expect(await settle(payout, FAILED, 0)).toBe(false);
    expect((await currentRow(payout)).status).toBe("processing");
    expect(await settle(payout, PAID, 1)).toBe(true);
    await expectInvariantsToHold();
  });

  test("that the bank paid after it had failed here is paid from the wallet, and beyond that a debt", async () => {
    const shop = await aPayoutMerchant({ wallet: 30_000 });
    await withFee(shop);
    const payout = await aClaimedPayout(shop);
    await settle(payout, FAILED, 0);
    const rest = await aClaimedPayout(shop, { amount: naira(20_000) });
    await settle(rest, PAID, 0);
    await Promise.all(times(5, () => settle(payout, PAID, 0)));
    expect(await currentRow(payout)).toMatchObject({ status: "paid", isLate: true, failureReason: null });
    const owed = PAYOUT.minor + FEE - (30_000_00n - 20_000_00n - 5_000n - 2_000n);
    const [debt] = await sql()`
      select posted_debits - posted_credits as owed from ledger_accounts where merchant_id = ${shop.merchant.id} and account = 'receivable:merchant'`;
    expect(debt?.owed).toBe(owed);
    expect(await alertsOf(shop)).toEqual(["payout.failed", "wallet.debt"]);
    expect(await operatorAlertsAbout(payout.id)).toEqual(["payout.late"]);
    expect(await eventTypesOf(shop)).toEqual(["payout.failed", "payout.paid", "payout.paid"]);
    await expectInvariantsToHold();
  });

  test("that comes back after it was paid late pays the debt first", async () => {
    const shop = await aPayoutMerchant({ wallet: 25_000 });
    const payout = await aClaimedPayout(shop);
    await settle(payout, FAILED, 0);
    await settle(await aClaimedPayout(shop), PAID, 0);
    await settle(payout, PAID, 0);
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    expect(await settle(payout, REVERSED, 0)).toBe(true);
    expect(await currentRow(payout)).toMatchObject({ status: "reversed", isLate: true });
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 0n, held: 0n });
    await expectInvariantsToHold();
  });

  test("that came back and is said to be paid moves nothing, and operators are told once", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await settle(payout, PAID, 0);
    await settle(payout, REVERSED, 0);
    for (const _ of [1, 2]) expect(await settle(payout, PAID, 0)).toBe(false);
    expect((await currentRow(payout)).status).toBe("reversed");
    expect(await operatorAlertsAbout(payout.id)).toEqual(["payout.contradicted"]);
    await expectInvariantsToHold();
  });

  test("that was paid and is said to have failed moves nothing, and operators are told once", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await settle(payout, PAID, 0);
    for (const _ of [1, 2]) expect(await settle(payout, FAILED, 0)).toBe(false);
    expect((await currentRow(payout)).status).toBe("paid");
    expect(await operatorAlertsAbout(payout.id)).toEqual(["payout.contradicted"]);
    expect(await eventTypesOf(shop)).toEqual(["payout.paid"]);
    await expectInvariantsToHold();
  });

  test("is read once more a day after its end, and then no more", async () => {
    const shop = await aPayoutMerchant();
    const payout = await createPayout(shop.ctx, { bankAccountId: await aBankAccount(shop), amount: PAYOUT });
    const first = await currentRow(payout);
    expect(((first.nextAttemptAt?.getTime() ?? 0) - Date.now()) / 3_600_000).toBeGreaterThan(23);
    await sql()`update payouts set paid_at = paid_at - interval '25 hours' where id = ${payout.id}`;
    await makeDue(payout);
    await resolveDuePayouts(system);
    expect((await currentRow(payout)).nextAttemptAt).toBeNull();
  });

  test("is not read for a notice about a reference that is not ours, or of another bank", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    const before = await currentRow(payout);
    await receivePayoutHint(system, "sandbox", { payoutToRead: referenceOf(newPayoutId(shop.merchant.number)) });
    await receivePayoutHint(system, "sandbox", { payoutToRead: "po_nonsense" });
    await receivePayoutHint(system, "sandbox-plain", { payoutToRead: referenceOf(payout.id) });
    expect(await currentRow(payout)).toEqual(before);
  });

  test("whose undecided hour is over alerts merchant and operators once a day", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await sql()`update payouts set created_at = created_at - interval '2 hours' where id = ${payout.id}`;
    await alertOnUndecidedPayouts(system);
    await alertOnUndecidedPayouts(system);
    expect(await alertsOf(shop)).toEqual(["payout.undecided"]);
    expect(await operatorAlertsAbout(payout.id)).toEqual(["payout.undecided"]);
    expect((await listStuckPayouts(anOperator, 1)).map(({ id }) => id)).toContain(payout.id);
    expect((await listStuckPayouts(anOperator, 3)).map(({ id }) => id)).not.toContain(payout.id);
  });
});

/** Waits until the sandbox has moved a payout on. */
async function untilAtBank(reference: string, state: string): Promise<void> {
  await until(async () => {
    const [row] = await sql()`select state from sandbox.payouts where reference = ${reference}`;
    return row?.state === state;
  });
}

describe("an operator", () => {
  const REFUSED = { code: "VALIDATION_ERROR" };
  const said = (outcome: "paid" | "failed" | "reversed", was: PayoutRow["status"] = "processing") => ({
    outcome,
    was,
    evidence: "ticket 12",
    reason: "The bank wrote",
  });

  test("settles a payout once that its bank never decides, with a note in the audit", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    const answers = await Promise.allSettled(
      times(5, () => decidedByTwo((by) => settlePayoutByOperator(by, referenceOf(payout.id), said("paid")))),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await currentRow(payout)).status).toBe("paid");
    const [entry] = await sql()`select reason, before, after from audit_entries where subject = ${payout.id}`;
    expect(entry).toEqual({
      reason: "The bank wrote",
      before: { status: "processing" },
      after: { outcome: "paid", evidence: "ticket 12", ...BY_TWO },
    });
    await expectInvariantsToHold();
  });

  test("supersedes an answer that is on its way", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("failed")));
    expect(await settle(payout, PAID, 0)).toBe(false);
    expect((await currentRow(payout)).status).toBe("failed");
    await expectInvariantsToHold();
  });

  test("settles nothing without a reason, without evidence, or twice as the same", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await expect(decidedByTwo((by) => settlePayoutByOperator(by, payout.id, { ...said("paid"), reason: " " }))).rejects.toThrow();
    await expect(decidedByTwo((by) => settlePayoutByOperator(by, payout.id, { ...said("paid"), evidence: " " }))).rejects.toThrow();
    expect(await decidedByTwo((by) => settlePayoutByOperator(by, "po_unknown", said("paid")))).toBe(false);
    expect(await decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("failed")))).toBe(true);
    await expect(decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("failed")))).rejects.toMatchObject(REFUSED);
  });

  test.each([
    ["failed", PAID, "paid"],
    ["paid", FAILED, "failed"],
  ] as const)(
    "who says %s of a payout that the bank has decided otherwise meanwhile is refused, and no money moves",
    async (word, heard, status) => {
      const shop = await aPayoutMerchant();
      const payout = await aClaimedPayout(shop);
      await settle(payout, heard, 0);
      const before = await walletOf(shop.merchant.id);
      await expect(decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said(word)))).rejects.toMatchObject(REFUSED);
      await expect(decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("failed", status)))).rejects.toMatchObject(REFUSED);
      expect((await currentRow(payout)).status).toBe(status);
      expect(await walletOf(shop.merchant.id)).toEqual(before);
    },
  );

  test("books a payout back that came back, and charges it again, once each, if it had not", async () => {
    const shop = await aPayoutMerchant({ wallet: 30_000 });
    await withFee(shop);
    const payout = await aClaimedPayout(shop);
    await settle(payout, PAID, 0);
    await decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("reversed", "paid")));
    expect(await walletOf(shop.merchant.id)).toEqual({ balance: 30_000_00n, held: 0n });
    const next = await aClaimedPayout(shop);
    const answers = await Promise.allSettled(
      times(5, () => decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("paid", "reversed")))),
    );
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await currentRow(payout)).toMatchObject({ status: "paid", corrections: 1 });
    await settle(next, PAID, 0);
    expect(await eventTypesOf(shop)).toEqual(["payout.paid", "payout.reversed", "payout.paid", "payout.paid"]);
    await expectInvariantsToHold();
    // The bank says once more that it came back. Nothing moves by itself any more, and an operator decides.
    const { fencingToken } = await currentRow(payout);
    expect(await settle(payout, REVERSED, fencingToken)).toBe(false);
    expect(await operatorAlertsAbout(payout.id)).toEqual(["payout.late", "payout.contradicted"]);
    await decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("reversed", "paid")));
    expect((await currentRow(payout)).status).toBe("reversed");
    await decidedByTwo((by) => settlePayoutByOperator(by, payout.id, said("paid", "reversed")));
    expect(await currentRow(payout)).toMatchObject({ status: "paid", corrections: 2, failureReason: null });
    await expectInvariantsToHold();
  });
});

describe("the books tell of a payout", () => {
  test.each([
    [
      "that stands as paid and failed",
      "update payouts set status = 'failed', failure_reason = 'x', paid_at = null, ended_at = now() where id = $1",
    ],
    ["whose amount has changed", "update payouts set amount = amount + 1 where id = $1"],
    ["whose fee has changed", "update payouts set fee = fee + 1 where id = $1"],
    ["whose capture is gone", "delete from ledger_transfers where key = $1 || ':capture'"],
    ["whose event is gone", "delete from events where data->>'id' = $1"],
    ["that is late and was captured", "update payouts set is_late = true where id = $1"],
  ])("%s", async (_what, statement) => {
    const shop = await aPayoutMerchant();
    await withFee(shop);
    const payout = await aClaimedPayout(shop);
    await settle(payout, PAID, 0);
    expect(await brokenAfter(statement, [payout.id])).not.toEqual([]);
  });

  test("that two people decided, and that one of them did not", async () => {
    const shop = await aPayoutMerchant();
    const payout = await aClaimedPayout(shop);
    await expect(sql()`update payouts set request_id = 'prq_1', approved_by = made_by where id = ${payout.id}`).rejects.toThrow(
      "payouts_decided_by_two",
    );
    expect(await brokenAfter("update payouts set request_id = 'prq_1', approved_by = 'member:usr_2' where id = $1", [payout.id])).toEqual([
      "an approved request has its payout, which two people decided, and no other request has one",
    ]);
  });
});

test("payouts at once cannot take more than the wallet has", async () => {
  const shop = await aPayoutMerchant({ wallet: 60_000 });
  const bankAccountId = await aBankAccount(shop);
  const ids = times(5, async () => newPayoutId(shop.merchant.number));
  const results = await Promise.allSettled(ids.map(async (id) => aClaimedPayout(shop, { bankAccountId, id: await id })));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  expect(await walletOf(shop.merchant.id)).toEqual({ balance: 60_000_00n, held: 50_000_00n });
  await expectInvariantsToHold();
});

test("a refused payout leaves nothing behind", async () => {
  const shop = await aPayoutMerchant({ wallet: 100 });
  await expect(aClaimedPayout(shop)).rejects.toMatchObject({ code: "INSUFFICIENT_BALANCE" });
  const rows = await transaction((tx) => tx.execute(`select id from payouts where merchant_id = '${shop.merchant.id}'`));
  expect(rows).toHaveLength(0);
});
