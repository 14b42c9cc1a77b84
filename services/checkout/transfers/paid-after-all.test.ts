import { beforeEach, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { lockWaiters } from "#testing/locks.ts";
import { until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { accountBalance, aLink, anExpiredLink, eventTypesOf, hear, makeOverdue, noticeOf, walletOf } from "../checkout.fixture.ts";
import { findPayerView, getLinkByReference } from "../links/read-links.ts";
import { readTimeline } from "../links/read-timeline.ts";
import type { PaymentLink } from "../payment-link.ts";

withDatabase();
withApp();

let shop: TestMerchant;
beforeEach(async () => {
  shop = await aMerchant();
});

const now = ({ reference }: Pick<PaymentLink, "reference">) => getLinkByReference(shop.ctx, reference);
const replacing = ({ reference }: Pick<PaymentLink, "reference">) => aLink(shop, { replaces: reference });
const eventsOf = async () =>
  sql()<{ type: string; data: { reference: string; replaces: string | null; replaced_by: string | null } }[]>`
    select type, data from events where merchant_id = ${shop.merchant.id} order by sequence`;

/** Waits until `count` connections to this file's database wait for a lock. */
const lockWaits = (count: number) => until(async () => (await lockWaiters()) >= count);

describe("a link that is paid late", () => {
  test("a late payment pays its link and expires the pending replacement, and both events name the two links", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const link = await replacing(old);
    await hear(late);
    expect(await now(old)).toMatchObject({ status: "success", replacedBy: link.reference });
    const expired = await now(link);
    expect(expired).toMatchObject({ status: "expired", replaces: old.reference });
    expect(expired.expiresAt.getTime()).toBeLessThan(link.expiresAt.getTime());
    const events = (await eventsOf()).map(({ type, data }) => [type, data.reference, data.replaces, data.replaced_by]);
    expect(events).toEqual([
      ["checkout.expired", old.reference, null, null],
      ["checkout.success", old.reference, null, link.reference],
      ["checkout.expired", link.reference, old.reference, null],
    ]);
    expect((await readTimeline(shop.ctx, link.reference)).map(({ type, at }) => [type, at])).toEqual([
      ["created", link.createdAt],
      ["expired", expired.expiresAt],
    ]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("a late payment closes the replacement's account at the bank, and later money for it goes back", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const link = await replacing(old);
    await hear(late);
    await until(
      async () =>
        (await sql()`select 1 from sandbox.bank_accounts where reference = ${link.reference} and closes_at <= now()`).length === 1,
    );
    await hear(noticeOf(link));
    expect(await now(link)).toMatchObject({ status: "expired", transfers: [{ classification: "duplicate", disposition: "returned" }] });
    expect([await walletOf(shop), await accountBalance(shop.merchant.id, "suspense")]).toEqual([naira(5_000), naira(5_000).minor]);
    await expectInvariantsToHold();
  });

  test("a late payment goes back if the replacement was paid first", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const paid = await replacing(old);
    await hear(noticeOf(paid));
    await hear(late);
    expect([(await now(old)).status, (await now(paid)).status]).toEqual(["expired", "success"]);
    expect((await now(old)).transfers).toMatchObject([{ classification: "duplicate", disposition: "returned" }]);
    expect([await walletOf(shop), await accountBalance(shop.merchant.id, "suspense")]).toEqual([naira(5_000), naira(5_000).minor]);
    await expectInvariantsToHold();
  });

  test("after a late payment, money that the bank had already taken for the replacement goes back", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const taken = await replacing(old);
    const inTime = noticeOf(taken, { receivedAt: new Date(taken.createdAt.getTime()) });
    await hear(late);
    await hear(inTime);
    expect([(await now(old)).status, (await now(taken)).status]).toEqual(["success", "expired"]);
    expect((await now(taken)).transfers).toMatchObject([{ classification: "duplicate", disposition: "returned" }]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect((await eventTypesOf(shop)).filter((type) => type === "checkout.success")).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test.each(["pending", "overdue"] as const)(
    "after a late payment, a replacement that was %s cannot be replaced, and its page leads to the paid link",
    async (state) => {
      const { link: old, late } = await anExpiredLink(shop);
      const link = await replacing(old);
      if (state === "overdue") await makeOverdue(link);
      await hear(late);
      await expect(replacing(link)).rejects.toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(old.reference) });
      expect((await findPayerView(systemContext("test"), link.reference))?.replacement).toBe(old.reference);
      expect(await sql()`select from payment_links where merchant_id = ${shop.merchant.id}`).toHaveLength(2);
      await expectInvariantsToHold();
    },
  );

  test("a late payment expires the pending link at the end of the chain of replacements", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const second = await replacing(old);
    await makeOverdue(second);
    const third = await replacing(second);
    await hear(late);
    const states = await Promise.all([old, second, third].map(async (link) => (await now(link)).status));
    expect(states).toEqual(["success", "expired", "expired"]);
    expect(await eventTypesOf(shop)).toEqual(["checkout.expired", "checkout.expired", "checkout.success", "checkout.expired"]);
    await expectInvariantsToHold();
  });

  test("late money that is refused does not expire the replacement", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const link = await replacing(old);
    await hear({ ...late, amount: naira(4_999) });
    await hear({ ...late, sessionId: newReference(), receivedAt: new Date() });
    expect([(await now(old)).status, (await now(link)).status]).toEqual(["expired", "pending"]);
  });
});

describe("a late payment and the making of a replacement", () => {
  /** Begins both in this order while the old link is locked, so that they get its lock in this order. */
  async function inOrder(first: "paying" | "making") {
    const { link: old, late } = await anExpiredLink(shop);
    const begun: Record<"paying" | "making", () => Promise<unknown>> = { paying: () => hear(late), making: () => replacing(old) };
    const results: Promise<PromiseSettledResult<unknown>[]>[] = [];
    await sql().begin(async (tx) => {
      await tx`select 1 from payment_links where merchant_id = ${old.merchantId} and id = ${old.id} for update`;
      for (const each of first === "paying" ? (["paying", "making"] as const) : (["making", "paying"] as const)) {
        results.push(Promise.allSettled([begun[each]()]));
        await lockWaits(results.length);
      }
    });
    const [a, b] = (await Promise.all(results)).flat();
    return { old: await now(old), outcomes: [a?.status, b?.status] };
  }

  test("if a late payment comes first, the making of the replacement is refused and leaves no row", async () => {
    const { old, outcomes } = await inOrder("paying");
    expect(outcomes).toEqual(["fulfilled", "rejected"]);
    expect(old).toMatchObject({ status: "success", replacedBy: null });
    expect(await sql()`select 1 from one_time_accounts where merchant_id = ${shop.merchant.id}`).toHaveLength(1);
    await expectInvariantsToHold();
  });

  test("if the replacement is made first, the late payment expires it", async () => {
    const { old, outcomes } = await inOrder("making");
    expect(outcomes).toEqual(["fulfilled", "fulfilled"]);
    expect(old.status).toBe("success");
    expect((await now({ reference: old.replacedBy ?? "" })).status).toBe("expired");
    await expectInvariantsToHold();
  });

  test("a late payment expires the replacement even if its transaction began before the replacement was made", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    let paying: Promise<void> = Promise.resolve();
    const rollback = new Error("rollback");
    const blocker = sql().begin(async (tx) => {
      await tx`insert into bank_sessions (provider, session_id, merchant_id, transfer_id) values ('sandbox', ${late.sessionId}, 'x', 'x')`;
      paying = hear(late);
      await lockWaits(1);
      await replacing(old);
      throw rollback;
    });
    await expect(blocker).rejects.toBe(rollback);
    await paying;
    const paid = await now(old);
    expect([paid.status, (await now({ reference: paid.replacedBy ?? "" })).status]).toEqual(["success", "expired"]);
  });

  test("late payments and replacements at once leave no paid link with a pending replacement, and each credit is one payment", async () => {
    const outcomes = new Set<string>();
    let rounds = 0;
    // A busy machine may have one of the two outcomes in all of the first rounds.
    for (; rounds < 10 || outcomes.size < 2; rounds += 1) {
      await Promise.all(
        Array.from({ length: 10 }, async (_, i) => {
          const { link: old, late } = await anExpiredLink(shop);
          const reference = newLinkReference(shop.merchant.number);
          const making = aLink({ ...shop, ctx: { ...shop.ctx, resourceId: reference } }, { replaces: old.reference }).then(
            () => "made",
            () => "refused",
          );
          // Half of the payments begin once the bank has opened the account, which is just before the replacement is stored.
          if (i % 2 === 0)
            await until(async () => (await sql()`select 1 from sandbox.bank_accounts where reference = ${reference}`).length > 0);
          await hear(late);
          const made = await making;
          const paid = await now(old);
          expect(paid.status).toBe("success");
          if (paid.replacedBy) expect((await now({ reference: paid.replacedBy })).status).toBe("expired");
          expect(paid.replacedBy).toBe(made === "made" ? reference : null);
          outcomes.add(made);
        }),
      );
    }
    expect(await walletOf(shop)).toEqual(naira(rounds * 10 * 5_000));
    await expectInvariantsToHold();
  });
});

test("payments of all links of a chain at once, and a further replacement, end with one payment of the order", async () => {
  const paidBy = new Set<number>();
  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      Array.from({ length: 5 }, async () => {
        const { link: old, late } = await anExpiredLink(shop);
        const second = await replacing(old);
        const secondEnded = await makeOverdue(second);
        const third = await replacing(second);
        const thirdEnded = await makeOverdue(third);
        const before = (link: PaymentLink, at: Date) => noticeOf(link, { receivedAt: new Date(at.getTime() - 1) });
        const work = [
          () => hear(late),
          () => hear(before(second, secondEnded)),
          () => hear(before(third, thirdEnded)),
          () => replacing(third),
        ];
        await Promise.allSettled(work.toSorted(() => Math.random() - 0.5).map((begin) => begin()));
        const links = await Promise.all([old, second, third].map((link) => now(link)));
        expect(links.filter(({ status }) => status === "success")).toHaveLength(1);
        paidBy.add(links.findIndex(({ status }) => status === "success"));
        expect(links.flatMap(({ transfers }) => transfers.map(({ disposition }) => disposition)).toSorted()).toEqual([
          "accepted",
          "returned",
          "returned",
        ]);
        const further = links[2]?.replacedBy;
        if (further) expect((await now({ reference: further })).status).toBe("expired");
        await expect(replacing(further ? { reference: further } : third)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
      }),
    );
  }
  // The links really raced.
  expect(paidBy.size).toBeGreaterThan(1);
  await expectInvariantsToHold();
});
