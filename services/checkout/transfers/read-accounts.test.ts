import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { banks } from "../../providers/index.ts";
import { aLink, eventTypesOf, hear, makeOverdue, noticeOf, walletOf } from "../checkout.fixture.ts";
import { expireLink } from "../links/expire-links.ts";
import { getLinkByReference } from "../links/read-links.ts";
import { recordActivity } from "../links/record-activity.ts";
import type { PaymentLink } from "../payment-link.ts";
import { readDueAccounts } from "./read-accounts.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
let shop: TestMerchant;
beforeEach(async () => {
  await sql()`update one_time_accounts set next_read_at = null`;
  shop = await aMerchant();
});
afterEach(() => vi.restoreAllMocks());

/** Stores a transfer at the sandbox bank, whose notice is lost. Returns its session. */
async function payUnheard(
  link: PaymentLink,
  { amount = link.amount, at = new Date(), rejection = null as string | null } = {},
): Promise<string> {
  const session = newReference();
  await sql()`
    insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at, rejection)
    values (${session}, ${link.accountNumber}, ${String(amount.minor)}::text::bigint, 'Chidi Eze', ${at.toISOString()}, ${rejection})`;
  return session;
}

const makeDue = ({ accountNumber }: PaymentLink) =>
  sql()`update one_time_accounts set next_read_at = now() - interval '1 s' where account_number = ${accountNumber}`;
const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);

/** Returns when an account is read next, in seconds after the end of its link (null: never again), and how often reading has failed. */
async function plannedFor({ id }: PaymentLink) {
  const [row] = await sql()<{ seconds: number | null; failures: number }[]>`
    select round(extract(epoch from a.next_read_at - l.expires_at))::int as seconds, a.read_failures as failures
    from one_time_accounts a join payment_links l on l.id = a.link_id where a.link_id = ${id}`;
  return row;
}

const alertsAbout = async ({ id }: PaymentLink) =>
  (await sql()<{ type: string }[]>`select type from alerts where resource_id = ${id} order by id`).map(({ type }) => type);

describe("a transfer whose notice was lost", () => {
  test("pays its link once the account is read, however many workers read it, and a notice that comes after all changes nothing", async () => {
    const link = await aLink(shop);
    const session = await payUnheard(link);
    for (let round = 0; round < 2; round++) {
      await makeDue(link);
      await Promise.all(times(5, () => readDueAccounts(ctx)));
    }
    expect(await now(link)).toMatchObject({ status: "success", transfers: [{ classification: "exact", disposition: "accepted" }] });
    await hear(noticeOf(link, { sessionId: session }));
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
    await expectInvariantsToHold();
  });

  test("pays a link that has expired meanwhile, if it was made in time", async () => {
    const link = await aLink(shop);
    const expiresAt = await makeOverdue(link);
    await expireLink(link.merchantId, link.id);
    await payUnheard(link, { at: new Date(expiresAt.getTime() - 1) });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await eventTypesOf(shop)).toEqual(["checkout.expired", "checkout.success"]);
    await expectInvariantsToHold();
  });

  test("is shown with the reason for which the bank has sent it back", async () => {
    const link = await aLink(shop);
    await payUnheard(link, { amount: naira(10), rejection: "underpaid" });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await now(link)).toMatchObject({ status: "pending", transfers: [{ classification: "underpaid", disposition: "returned" }] });
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("and that the bank recalled before it was read credits nothing", async () => {
    const link = await aLink(shop);
    await payUnheard(link, { rejection: "recalled" });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("pending");
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });
});

describe("an account is read", () => {
  test("a minute, an hour and a day after the end of its link, paid or not, and then no more", async () => {
    const [link, paid] = [await aLink(shop), await aLink(shop)];
    await hear(noticeOf(paid));
    for (const each of [link, paid]) {
      expect(await plannedFor(each)).toEqual({ seconds: 60, failures: 0 });
      for (const [after, next] of [
        [61_000, 3_600],
        [3_601_000, 86_400],
        [86_401_000, null],
      ] as const) {
        await makeOverdue(each, after);
        await makeDue(each);
        await readDueAccounts(ctx);
        expect(await plannedFor(each)).toEqual({ seconds: next, failures: 0 });
      }
    }
  });

  test("within a minute after the payer says that the money was sent, and at the end of its link all the same", async () => {
    const link = await aLink(shop);
    await recordActivity(ctx, link.reference, "opened");
    expect(await plannedFor(link)).toMatchObject({ seconds: 60 });
    await recordActivity(ctx, link.reference, "sent", { number: 1 });
    const planned = (await plannedFor(link))?.seconds ?? 0;
    expect(planned + 1_800).toBeGreaterThan(55);
    expect(planned + 1_800).toBeLessThan(65);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await plannedFor(link)).toMatchObject({ seconds: 60 });
  });

  test("again with growing waits while its bank does not say what arrived, and operators are told after about an hour", async () => {
    const link = await aLink(shop);
    await payUnheard(link);
    const read = vi
      .spyOn(banks.named("sandbox") as NonNullable<ReturnType<typeof banks.named>>, "readAccount")
      .mockResolvedValue({ status: "unknown" });
    const waits = [];
    for (let failures = 1; failures <= 8; failures++) {
      await makeDue(link);
      await readDueAccounts(ctx);
      const [row] = await sql()<{ seconds: number }[]>`
        select round(extract(epoch from next_read_at - now()))::int as seconds from one_time_accounts where link_id = ${link.id}`;
      waits.push(Math.round((row?.seconds ?? 0) / 60));
      expect(await plannedFor(link)).toMatchObject({ failures });
      expect(await alertsAbout(link)).toEqual(failures >= 7 ? ["bank_account.unread"] : []);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 64]);
    expect((await now(link)).status).toBe("pending");
    read.mockRestore();
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await plannedFor(link)).toEqual({ seconds: 60, failures: 0 });
  });

  test("no more a week after the end of its link, if its bank never said what arrived", async () => {
    const link = await aLink(shop);
    await makeOverdue(link, 8 * 24 * 3_600_000);
    vi.spyOn(banks.named("sandbox") as NonNullable<ReturnType<typeof banks.named>>, "readAccount").mockResolvedValue({ status: "unknown" });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await plannedFor(link)).toMatchObject({ seconds: null });
  });

  test("and operators are told once, if its bank does not know it", async () => {
    const link = await aLink(shop);
    await sql()`delete from sandbox.bank_accounts where reference = ${link.reference}`;
    for (let round = 0; round < 2; round++) {
      await makeDue(link);
      await readDueAccounts(ctx);
    }
    expect(await alertsAbout(link)).toEqual(["bank_account.not_found"]);
    expect(await plannedFor(link)).toEqual({ seconds: 60, failures: 0 });
  });

  test("and an answer with a transfer to another account moves nothing", async () => {
    const [link, other] = [await aLink(shop), await aLink(shop)];
    vi.spyOn(banks.named("sandbox") as NonNullable<ReturnType<typeof banks.named>>, "readAccount").mockResolvedValue({
      status: "read",
      transfers: [noticeOf(other)],
    });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect([(await now(link)).status, (await now(other)).status]).toEqual(["pending", "pending"]);
    expect(await plannedFor(link)).toMatchObject({ failures: 1 });
  });
});
