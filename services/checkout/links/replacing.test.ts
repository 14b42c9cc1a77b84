import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { newLinkReference } from "#lib/references.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { aLink, anExpiredLink, eventTypesOf, hear, makeOverdue, noticeOf } from "../checkout.fixture.ts";
import type { PaymentLink } from "../payment-link.ts";
import { listPaymentLinks } from "./list-links.ts";
import { findPayerView, getLinkByReference } from "./read-links.ts";

withDatabase();
withApp();

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant();
});

const now = ({ reference }: PaymentLink, { ctx }: TestMerchant = shop) => getLinkByReference(ctx, reference);
const replacing = ({ reference }: Pick<PaymentLink, "reference">) => aLink(shop, { replaces: reference });
const leadsTo = async ({ reference }: PaymentLink) => (await findPayerView(systemContext("test"), reference))?.replacement;

/** Returns the problem of a refused replacement, as the merchant reads it. */
async function refusalOf(replacement: Promise<unknown>) {
  const problem: unknown = await replacement.catch((error: unknown) => error);
  if (!(problem instanceof Problem)) throw new Error("it was not refused");
  return { code: problem.code, param: problem.errors[0]?.param, message: problem.message };
}

describe("a link that replaces another", () => {
  test("names it and is named by it, on the links, in the list and on the pages of both", async () => {
    const { link: old } = await anExpiredLink(shop);
    const link = await replacing(old);
    expect(link).toMatchObject({ status: "pending", replaces: old.reference, replacedBy: null });
    expect(await now(old)).toMatchObject({ status: "expired", replaces: null, replacedBy: link.reference });
    const { items } = await listPaymentLinks(shop.ctx, { limit: 2 });
    expect(items.map(({ replaces, replacedBy }) => [replaces, replacedBy])).toEqual([
      [old.reference, null],
      [null, link.reference],
    ]);
    expect([await leadsTo(old), await leadsTo(link)]).toEqual([link.reference, null]);
    await expectInvariantsToHold();
  });

  test("a link may replace an overdue one that no sweep has expired, which then gets one event of its expiry", async () => {
    const own = await aMerchant();
    const overdue = await aLink(own);
    await makeOverdue(overdue);
    await aLink(own, { replaces: overdue.reference });
    expect((await now(overdue, own)).status).toBe("expired");
    expect(await eventTypesOf(own)).toEqual(["checkout.expired"]);
  });

  test("is refused for a link that can be paid, is paid, or was replaced already, and opens no account", async () => {
    const paid = await aLink(shop);
    await hear(noticeOf(paid));
    const { link: replaced } = await anExpiredLink(shop);
    await replacing(replaced);
    const accounts = () => sql()`select count(*) from sandbox.bank_accounts`;
    const pending = await aLink(shop);
    const before = await accounts();
    for (const [old, because] of [
      [pending, "can still be paid"],
      [paid, "is paid"],
      [replaced, "was replaced already"],
    ] as const) {
      const { code, param, message } = await refusalOf(replacing(old));
      expect([code, param]).toEqual(["VALIDATION_ERROR", "replaces"]);
      expect(message).toContain(because);
    }
    expect(await accounts()).toEqual(before);
  });

  test("is refused for a link of another merchant in the same words as for an unknown reference", async () => {
    const { link: foreign } = await anExpiredLink(await aMerchant());
    const refusals = await Promise.all(
      [foreign.reference, newLinkReference(shop.merchant.number), "no reference"].map((reference) => refusalOf(replacing({ reference }))),
    );
    expect(refusals[0]).toMatchObject({ code: "VALIDATION_ERROR", param: "replaces" });
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1);
    expect(
      (await getLinkByReference({ ...shop.ctx, merchant: { ...shop.merchant, id: foreign.merchantId } }, foreign.reference)).replacedBy,
    ).toBe(null);
  });

  test("of five replacements of one link at once, one is made, and four are refused and leave no row", async () => {
    for (const _ of Array.from({ length: 5 })) {
      const own = await aMerchant();
      const { link: old } = await anExpiredLink(own);
      const made = await Promise.allSettled(times(5, () => aLink(own, { replaces: old.reference })));
      const links = made.flatMap((each) => (each.status === "fulfilled" ? [each.value.reference] : []));
      expect(links).toEqual([(await now(old, own)).replacedBy]);
      for (const each of made) {
        if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "VALIDATION_ERROR", errors: [{ param: "replaces" }] });
      }
      const [rows] = await sql()`select (select count(*) from payment_links where merchant_id = ${own.merchant.id}) as links,
        (select count(*) from one_time_accounts where merchant_id = ${own.merchant.id}) as accounts`;
      expect(rows).toEqual({ links: 2n, accounts: 2n });
    }
    await expectInvariantsToHold();
  });

  test("a unique constraint allows only one replacement of a link", async () => {
    const [{ link: old }, other] = [await anExpiredLink(shop), await aLink(shop)];
    await replacing(old);
    const second = sql()`update payment_links set replaces = ${old.reference}, first_link_id = ${old.id} where merchant_id = ${other.merchantId} and id = ${other.id}`;
    await expect(second).rejects.toMatchObject({ code: "23505", constraint_name: "payment_links_one_replacement" });
    const pending = sql()`update payment_links set replaced_by = ${old.reference} where merchant_id = ${other.merchantId} and id = ${other.id}`;
    await expect(pending).rejects.toMatchObject({ code: "23514", constraint_name: "payment_links_replaced_when_not_pending" });
  });

  test("all tries of one request to replace a link make the same link, even if they run at once, later or after a pause", async () => {
    for (const _ of Array.from({ length: 5 })) {
      const { link: old } = await anExpiredLink(shop);
      const own = { ...shop, ctx: { ...shop.ctx, resourceId: newLinkReference(shop.merchant.number), resumed: true } };
      const tries = await Promise.all(times(2, () => aLink(own, { replaces: old.reference })));
      tries.push(await aLink(own, { replaces: old.reference }));
      // The first try, which was paused and did not see that a second one has taken over.
      const first = { ...own, ctx: { ...own.ctx, resumed: false } };
      tries.push(await aLink(first, { replaces: old.reference }));
      expect(new Set(tries.map(({ id }) => id)).size).toBe(1);
    }
  });
});

describe("a chain of replacements", () => {
  /** Returns links of which each is expired and replaced by the next. The last is pending. */
  async function aChain(length: number): Promise<PaymentLink[]> {
    const links = [await aLink(shop)];
    while (links.length < length) {
      const last = links.at(-1) ?? links[0];
      if (!last) break;
      await makeOverdue(last);
      links.push(await replacing(last));
    }
    return links;
  }

  test("only the expired last link of a chain can be replaced, and every page of the chain leads to its newest payable link", async () => {
    const [first, second, third] = await aChain(3);
    if (!first || !second || !third) throw new Error("too short");
    expect((await refusalOf(replacing(first))).message).toContain(second.reference);
    expect([await leadsTo(first), await leadsTo(second), await leadsTo(third)]).toEqual([third.reference, third.reference, null]);
    await makeOverdue(third);
    // Overdue counts as expired, also between two sweeps.
    expect([await leadsTo(first), await leadsTo(third)]).toEqual([null, null]);
    const fourth = await replacing(third);
    expect(await leadsTo(first)).toBe(fourth.reference);
    await hear(noticeOf(fourth));
    expect(await leadsTo(first)).toBe(fourth.reference);
    await expectInvariantsToHold();
  });

  test("leads from each of its links to the last one, however long it is", async () => {
    const links = await aChain(22);
    const last = links.at(-1)?.reference;
    for (const link of links.slice(0, -1)) expect(await leadsTo(link)).toBe(last);
  });

  test("after a replacement was paid, the expired page leads to the paid link, whose own page leads to no other", async () => {
    const { link: old, late } = await anExpiredLink(shop);
    const link = await replacing(old);
    await hear(noticeOf(link));
    expect([await leadsTo(old), await leadsTo(link)]).toEqual([link.reference, null]);
    // Money that still comes for the old one goes back, and changes nothing.
    await hear(late);
    expect([await leadsTo(old), await leadsTo(link)]).toEqual([link.reference, null]);
  });
});
