import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import { MINUTE_MS } from "#lib/time.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { checkBanks } from "../bank-health.ts";
import { aLink, aLiveReference, eventTypesOf, hear, makeOverdue, noticeOf, walletOf } from "../checkout.fixture.ts";
import { findPayerView, getLinkByReference } from "../links/read-links.ts";
import { readTimeline } from "../links/read-timeline.ts";
import { recordActivity } from "../links/record-activity.ts";
import type { PaymentLink } from "../payment-link.ts";
import type { ActivityKind } from "../timeline-entry.ts";
import { PAYER_SIMULATIONS, simulateAsPayer } from "./simulate-as-payer.ts";

withDatabase();
withApp();

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
});

const activityOf = ({ id }: PaymentLink) =>
  sql()`select kind, times, first_at = last_at as once from payment_link_activity where link_id = ${id} order by kind`;
const ageActivity = ({ id }: PaymentLink, kind: ActivityKind, seconds: number) => sql()`
  update payment_link_activity set first_at = first_at - ${seconds} * interval '1 s', last_at = last_at - ${seconds} * interval '1 s'
  where link_id = ${id} and kind = ${kind}`;
const sentAtOf = async ({ reference }: PaymentLink) => (await findPayerView(systemContext("test"), reference))?.sentAt ?? null;

describe("activity on the page", () => {
  test("is recorded once within a minute, also when it happens twenty times at once", async () => {
    const link = await aLink(shop);
    await Promise.all(times(20, () => recordActivity(systemContext("test"), link.reference, "opened")));
    await recordActivity(systemContext("test"), link.reference, "opened");
    await recordActivity(systemContext("test"), link.reference, "copied");
    expect(await activityOf(link)).toMatchObject([
      { kind: "opened", times: 1, once: true },
      { kind: "copied", times: 1, once: true },
    ]);
  });

  test("activity of any kind also records that the page was opened", async () => {
    const link = await aLink(shop);
    await Promise.all(times(5, () => recordActivity(systemContext("test"), link.reference, "copied")));
    await recordActivity(systemContext("test"), link.reference, "opened");
    expect(await activityOf(link)).toMatchObject([
      { kind: "opened", times: 1 },
      { kind: "copied", times: 1 },
    ]);
  });

  test("is recorded for known references alone", async () => {
    expect(await recordActivity(systemContext("test"), newLinkReference(1), "opened")).toBeUndefined();
    expect(await recordActivity(systemContext("test"), "'; drop table payment_links --", "sent")).toBeUndefined();
    expect(await recordActivity(systemContext("test"), (await aLink(shop)).reference, "opened")).toEqual({ supersededBy: null });
  });

  test("of the kind 'sent' counts only while the link is pending", async () => {
    const link = await aLink(shop);
    await hear(noticeOf(link));
    expect(await recordActivity(systemContext("test"), link.reference, "sent")).toEqual({ supersededBy: null });
    expect(await activityOf(link)).toMatchObject([{ kind: "opened" }]);
    expect(await sentAtOf(link)).toBeNull();
  });

  test("'sent' ends when a wrong amount arrives, and counts again from a page that has shown that transfer", async () => {
    const link = await aLink(shop);
    await recordActivity(systemContext("test"), link.reference, "sent");
    await ageActivity(link, "sent", 10);
    expect(await sentAtOf(link)).toEqual(expect.any(Date));
    await hear(noticeOf(link, { amount: naira(4_000) }));
    expect(await sentAtOf(link)).toBeNull();
    // A page that has not shown this transfer means this one. A page that has shown it means the next one.
    await recordActivity(systemContext("test"), link.reference, "sent");
    expect(await sentAtOf(link)).toBeNull();
    await recordActivity(systemContext("test"), link.reference, "sent", { transfersSeen: 1 });
    expect(await sentAtOf(link)).toEqual(expect.any(Date));
    expect(await activityOf(link)).toMatchObject([{ kind: "opened" }, { kind: "sent", times: 3 }]);
  });

  test("a 'sent' that a phone repeats late does not undo a newer 'unsent', in any order of arrival", async () => {
    const say = (link: PaymentLink, kind: ActivityKind, number: number) =>
      recordActivity(systemContext("test"), link.reference, kind, { number });
    for (let round = 0; round < 5; round++) {
      const link = await aLink(shop);
      await say(link, "sent", 1);
      expect(await sentAtOf(link)).toEqual(expect.any(Date));
      await Promise.all([...times(3, () => say(link, "sent", 2)), ...times(3, () => say(link, "unsent", 3))]);
      expect(await sentAtOf(link)).toBeNull();
      expect(await say(link, "sent", 2)).toEqual({ supersededBy: 3 });
      expect(await say(link, "unsent", 3)).toEqual({ supersededBy: null });
      expect(await sentAtOf(link)).toBeNull();
      expect(await say(link, "sent", 4)).toEqual({ supersededBy: null });
      expect(await sentAtOf(link)).toEqual(expect.any(Date));
      expect((await readTimeline(shop.ctx, link.reference)).map(({ type }) => type)).toContain("unsent");
    }
  });

  test("if two phones send 'sent' and 'unsent' with the same number, 'sent' is kept", async () => {
    for (const order of [["sent", "unsent"] as const, ["unsent", "sent"] as const]) {
      const link = await aLink(shop);
      for (const kind of order) await recordActivity(systemContext("test"), link.reference, kind, { number: 7 });
      expect(await sentAtOf(link)).toEqual(expect.any(Date));
    }
  });

  test("'unsent' does nothing after a transfer that its page does not show, or after the payment", async () => {
    const link = await aLink(shop);
    await recordActivity(systemContext("test"), link.reference, "sent");
    await hear(noticeOf(link, { amount: naira(4_000) }));
    await recordActivity(systemContext("test"), link.reference, "unsent");
    expect(await activityOf(link)).toMatchObject([{ kind: "opened" }, { kind: "sent", times: 1 }]);
    const paid = await aLink(shop);
    await recordActivity(systemContext("test"), paid.reference, "sent");
    await hear(noticeOf(paid));
    await recordActivity(systemContext("test"), paid.reference, "unsent", { transfersSeen: 1 });
    expect(await activityOf(paid)).toMatchObject([{ kind: "opened" }, { kind: "sent", times: 1 }]);
  });

  test("a message without a number is the newest, also after one of the highest number", async () => {
    const link = await aLink(shop);
    await recordActivity(systemContext("test"), link.reference, "unsent", { number: 999_999_999_999_999 });
    await recordActivity(systemContext("test"), link.reference, "sent");
    expect(await sentAtOf(link)).toEqual(expect.any(Date));
    await recordActivity(systemContext("test"), link.reference, "unsent");
    expect(await sentAtOf(link)).toBeNull();
  });

  test("an expired link accepts 'sent', because its money may still be reported, but not 'unsent'", async () => {
    const link = await aLink(shop);
    await makeOverdue(link);
    expect(await getLinkByReference(shop.ctx, link.reference)).toMatchObject({ status: "expired" });
    await recordActivity(systemContext("test"), link.reference, "sent");
    await recordActivity(systemContext("test"), link.reference, "unsent");
    expect(await sentAtOf(link)).toEqual(expect.any(Date));
  });

  test("is in the merchant's timeline with the bank's transfers, oldest first", async () => {
    const link = await aLink(shop);
    for (const kind of ["opened", "copied", "sent"] as const) await recordActivity(systemContext("test"), link.reference, kind);
    await sql()`update payment_links set created_at = created_at - interval '1 minute' where id = ${link.id}`;
    await ageActivity(link, "opened", 30);
    await ageActivity(link, "copied", 20);
    await ageActivity(link, "sent", 10);
    await hear(noticeOf(link, { amount: naira(4_000) }));
    await hear(noticeOf(link));
    const entries = await readTimeline(shop.ctx, link.reference);
    expect(entries.map(({ type }) => type)).toEqual(["created", "opened", "copied", "sent", "transfer", "transfer", "posting"]);
    expect(entries.at(-2)).toMatchObject({ classification: "exact", disposition: "accepted", amount: naira(5_000) });
    expect(entries.at(-1)).toMatchObject({ direction: "credit", amount: naira(5_000) });
    const expired = await aLink(shop);
    await makeOverdue(expired);
    expect((await readTimeline(shop.ctx, expired.reference)).map(({ type }) => type)).toEqual(["created", "expired"]);
  });

  test("is shown to the link's own merchant alone", async () => {
    const link = await aLink(shop);
    const other = await aMerchant();
    await expect(readTimeline(other.ctx, link.reference)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });
});

describe("simulating as a payer", () => {
  /** Makes a link and runs these simulations on it. Returns the link as it is then. */
  const simulated = async (...simulations: (typeof PAYER_SIMULATIONS)[number][]) => {
    const link = await aLink(shop);
    for (const each of simulations) expect(await simulateAsPayer(systemContext("test"), link.reference, each)).toBe(true);
    return getLinkByReference(shop.ctx, link.reference);
  };
  /** Returns the status of a link, and the classification of each of its transfers. */
  const summary = ({ status, transfers }: PaymentLink) => [status, ...transfers.map(({ classification }) => classification)];

  test("the exact amount pays the link and credits the wallet once", async () => {
    const before = await walletOf(shop);
    expect(summary(await simulated("exact"))).toEqual(["success", "exact"]);
    expect((await walletOf(shop)).minor - before.minor).toBe(naira(5_000).minor);
  });

  test.each([
    [["under"], ["pending", "underpaid"]],
    [["over"], ["pending", "overpaid"]],
    [["expired"], ["expired"]],
    [["late"], ["expired", "late"]],
    [["duplicate"], ["success", "exact", "duplicate"]],
    [
      ["exact", "duplicate"],
      ["success", "exact", "duplicate"],
    ],
    [
      ["expired", "late"],
      ["expired", "late"],
    ],
    [["expiring"], ["pending"]],
    [["waited"], ["pending"]],
  ] as const)("%j give the link and its transfers the states %j", async (simulations, expected) => {
    expect(summary(await simulated(...simulations))).toEqual(expected);
  });

  test("'expiring' leaves the payer four minutes", async () => {
    const { expiresAt } = await simulated("expiring");
    expect(expiresAt.getTime() - Date.now()).toBeLessThanOrEqual(4 * MINUTE_MS);
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(3.5 * MINUTE_MS);
  });

  test("'waited' records that the payer said two minutes ago that the money is sent", async () => {
    const link = await simulated("waited");
    const sentAt = await sentAtOf(link);
    expect(Date.now() - (sentAt?.getTime() ?? 0)).toBeGreaterThanOrEqual(2 * MINUTE_MS);
  });

  test("nothing happens in live mode or for an unknown reference", async () => {
    const link = await aLink(shop);
    const reference = await aLiveReference(shop, link);
    const events = await eventTypesOf(shop);
    for (const simulation of PAYER_SIMULATIONS) {
      expect(await simulateAsPayer(systemContext("test"), reference, simulation)).toBe(false);
      expect(await simulateAsPayer(systemContext("test"), newLinkReference(1), simulation)).toBe(false);
    }
    expect(await eventTypesOf(shop)).toEqual(events);
    expect((await findPayerView(systemContext("test"), reference))?.link).toMatchObject({ status: "pending", transfers: [] });
    await expectInvariantsToHold();
  });
});

describe("a bank that does not answer", () => {
  const makeDue = () => sql()`update bank_health set next_check_at = now() - interval '1 s'`;
  const failNext = () => sql()`insert into sandbox.bank_faults (reference, fault) values ('health', 'refuse')`;
  const pageSaysDown = async () => (await findPayerView(systemContext("test"), (await aLink(shop)).reference))?.bankIsDown;

  test("is down after the second failed check in a row, and up again after the first check that it answers", async () => {
    await checkBanks(systemContext("test"));
    for (const [fails, changes] of [
      [true, 0],
      [false, 0],
      [true, 0],
      [true, 1],
      [true, 0],
    ] as const) {
      if (fails) await failNext();
      await makeDue();
      expect(await checkBanks(systemContext("test"))).toBe(changes);
    }
    await until(pageSaysDown);
    await makeDue();
    expect(await checkBanks(systemContext("test"))).toBe(1);
    await until(async () => (await pageSaysDown()) === false);
  });

  test("is not shown as down when its last check is minutes old", async () => {
    const { reference } = await aLink(shop);
    const isDown = async () => (await findPayerView(systemContext("test"), reference))?.bankIsDown;
    await sql()`update bank_health set down_since = now(), next_check_at = now() + interval '15 s'`;
    await until(isDown);
    await sql()`update bank_health set next_check_at = now() - interval '3 minutes'`;
    await until(async () => !(await isDown()));
    await sql()`update bank_health set down_since = null, failures = 0`;
  });

  test("is checked by one of five workers, and again no sooner than 10 s later", async () => {
    await makeDue();
    await failNext();
    await Promise.all(times(5, () => checkBanks(systemContext("test"))));
    const [row] =
      await sql()`select failures, next_check_at > now() + interval '10 s' as waits from bank_health where provider = 'sandbox'`;
    expect(row).toEqual({ failures: 1, waits: true });
  });
});
