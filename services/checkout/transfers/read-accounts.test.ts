import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { naira } from "#lib/money.ts";
import { DAY_MS } from "#lib/time.ts";
import type { Bank } from "#providers/bank.ts";
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
  await sql()`delete from alerts where resource_id = 'sandbox'`;
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

/** Returns in how many seconds an account is read. */
async function secondsUntilRead({ id }: PaymentLink): Promise<number> {
  const [row] = await sql()<{ seconds: number }[]>`
    select round(extract(epoch from next_read_at - now()))::int as seconds from one_time_accounts where link_id = ${id}`;
  return row?.seconds ?? Number.NaN;
}

const alertsAbout = async (resource: string) =>
  (await sql()<{ type: string }[]>`select type from alerts where resource_id = ${resource} order by id`).map(({ type }) => type);

function sandboxBank(): Bank {
  const bank = banks.named("sandbox");
  if (!bank) throw new Error("there is no sandbox bank");
  return bank;
}

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

  test("a minute after the payer says so during a reading, or during one that is due", async () => {
    const link = await aLink(shop);
    const bank = sandboxBank();
    const real = bank.readAccount;
    vi.spyOn(bank, "readAccount").mockImplementationOnce(async (reference) => {
      const reading = await real(reference);
      await recordActivity(ctx, link.reference, "sent", { number: 1 });
      return reading;
    });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await secondsUntilRead(link)).toBeLessThanOrEqual(60);
    await makeDue(link);
    await recordActivity(ctx, link.reference, "sent", { number: 2 });
    expect(await secondsUntilRead(link)).toBeLessThanOrEqual(0);
  });

  test("not sooner after unsent, after a message that a newer one superseded, and after the fifth time", async () => {
    const link = await aLink(shop);
    await recordActivity(ctx, link.reference, "unsent", { number: 5 });
    await recordActivity(ctx, link.reference, "sent", { number: 4 });
    expect(await plannedFor(link)).toMatchObject({ seconds: 60 });
    for (let number = 6; number < 12; number++) {
      await recordActivity(ctx, link.reference, "sent", { number });
      const isSooner = (await plannedFor(link))?.seconds !== 60;
      expect(isSooner).toBe(number < 11);
      await makeDue(link);
      await readDueAccounts(ctx);
    }
  });

  test("once by any number of sweeps at once, and as often as accounts are due", async () => {
    const links = [];
    for (let n = 0; n < 23; n++) links.push(await aLink(shop));
    for (const link of links) await makeDue(link);
    const read = vi.spyOn(sandboxBank(), "readAccount");
    const counts = await Promise.all(times(2, () => readDueAccounts(ctx)));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(23);
    expect(read.mock.calls.map(([account]) => account.reference).toSorted()).toEqual(links.map(({ reference }) => reference).toSorted());
  });

  test("again with growing waits while its bank does not say what arrived, and operators are told after an hour, once for the bank", async () => {
    const [link, other] = [await aLink(shop), await aLink(shop)];
    await payUnheard(link);
    const read = vi.spyOn(sandboxBank(), "readAccount").mockResolvedValue({ status: "unknown" });
    const waits = [];
    for (let failures = 1; failures <= 7; failures++) {
      for (const each of [link, other]) await makeDue(each);
      await readDueAccounts(ctx);
      waits.push(Math.round((await secondsUntilRead(link)) / 60));
      expect(await plannedFor(link)).toMatchObject({ failures });
      expect(await alertsAbout("sandbox")).toEqual(failures >= 6 ? ["bank_account.unread"] : []);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 64]);
    expect((await now(link)).status).toBe("pending");
    await recordActivity(ctx, link.reference, "sent", { number: 1 });
    expect(await secondsUntilRead(link)).toBeGreaterThan(60 * 60);
    read.mockRestore();
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await plannedFor(link)).toEqual({ seconds: 60, failures: 0 });
  });

  test("for a week after the end of its link, and then no more, with an alert, if its bank never said what arrived", async () => {
    const link = await aLink(shop);
    vi.spyOn(sandboxBank(), "readAccount").mockResolvedValue({ status: "unknown" });
    await makeOverdue(link, 6 * DAY_MS);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await plannedFor(link))?.seconds).toBeGreaterThan(0);
    await sql()`delete from alerts where resource_id = 'sandbox'`;
    await makeOverdue(link, 8 * DAY_MS);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await plannedFor(link)).toMatchObject({ seconds: null });
    expect(await alertsAbout("sandbox")).toEqual(["bank_account.unread"]);
  });

  test("again if its bank does not know it, and operators are told the third time", async () => {
    const link = await aLink(shop);
    await sql()`delete from sandbox.bank_accounts where reference = ${link.reference}`;
    for (const alerts of [[], [], ["bank_account.not_found"], ["bank_account.not_found"]]) {
      await makeDue(link);
      await readDueAccounts(ctx);
      expect(await alertsAbout(link.id)).toEqual(alerts);
    }
    expect(await plannedFor(link)).toMatchObject({ failures: 4 });
  });

  test("and an answer with a transfer to another account moves nothing", async () => {
    const [link, other] = [await aLink(shop), await aLink(shop)];
    vi.spyOn(sandboxBank(), "readAccount").mockResolvedValue({ status: "read", transfers: [noticeOf(other)] });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect([(await now(link)).status, (await now(other)).status]).toEqual(["pending", "pending"]);
    expect(await plannedFor(link)).toMatchObject({ failures: 1 });
  });

  test("and one whose reading throws, or names a transfer that cannot be taken, stops no other, and counts as failed", async () => {
    const [broken, odd, link] = [await aLink(shop), await aLink(shop), await aLink(shop)];
    await payUnheard(odd);
    await payUnheard(link);
    const bank = sandboxBank();
    const real = bank.readAccount;
    vi.spyOn(bank, "readAccount").mockImplementation(async (account) => {
      if (account.reference === broken.reference) throw new Error("the adapter is broken");
      const reading = await real(account);
      if (reading.status !== "read" || account.reference !== odd.reference) return reading;
      const nameless = { ...noticeOf(odd), noticeId: undefined as unknown as string };
      return { status: "read", transfers: [nameless, ...reading.transfers] };
    });
    for (const each of [broken, odd, link]) await makeDue(each);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await now(odd)).toMatchObject({ status: "success", transfers: [{ classification: "exact" }] });
    expect(await plannedFor(odd)).toMatchObject({ failures: 1 });
    expect(await plannedFor(broken)).toMatchObject({ failures: 1 });
  });

  test("and a transfer without a time is quarantined, and the others of its account are taken", async () => {
    const link = await aLink(shop);
    vi.spyOn(sandboxBank(), "readAccount").mockResolvedValue({
      status: "read",
      transfers: [noticeOf(link, { receivedAt: new Date(Number.NaN), sessionId: newReference() }), noticeOf(link)],
    });
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    const quarantined = await sql()`select from provider_notices where quarantined_because = 'Its time is no time.'`;
    expect(quarantined).toHaveLength(1);
    expect(await plannedFor(link)).toEqual({ seconds: 60, failures: 0 });
  });

  test("and a transfer of which a reading says less than its notice, no sender and whole seconds, is no contradiction", async () => {
    const link = await aLink(shop);
    const notice = noticeOf(link, { receivedAt: new Date(Math.floor(Date.now() / 1_000) * 1_000 + 700) });
    await hear(notice);
    const seconds = new Date(Math.floor(notice.receivedAt.getTime() / 1_000) * 1_000);
    const less = { ...notice, noticeId: "read", senderName: null, senderBank: null, senderAccountLast4: null, receivedAt: seconds };
    vi.spyOn(sandboxBank(), "readAccount").mockResolvedValue({ status: "read", transfers: [less] });
    await makeDue(link);
    await readDueAccounts(ctx);
    const [transfer] = await sql()<{ id: string }[]>`select id from bank_transfers where session_id = ${notice.sessionId}`;
    expect(await alertsAbout(transfer?.id ?? "")).toEqual([]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
  });
});
