import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { type Money, naira } from "#lib/money.ts";
import { DAY_MS, lagosDay, startOfLagosDay } from "#lib/time.ts";
import type { SandboxBank } from "#providers/sandbox/bank.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, anOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { banks } from "../../providers/index.ts";
import { aLink, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { readChanged, readDueAccounts } from "../transfers/read-accounts.ts";
import { explainDifference } from "./explain-difference.ts";
import { listBankDays, listDifferences } from "./list-days.ts";
import { readStatements } from "./read-statements.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
const DAY = lagosDay(new Date(Date.now() - DAY_MS));
const NOON = new Date(startOfLagosDay(DAY).getTime() + DAY_MS / 2);
let shop: TestMerchant;
let bank: SandboxBank;
beforeEach(async () => {
  // What tests before have left is of another day.
  await sql()`update sandbox.bank_transfers set made_at = made_at - interval '30 days', returned_at = returned_at - interval '30 days'`;
  await sql()`update bank_transfers set received_at = received_at - interval '30 days'`;
  await sql()`update payment_links set paid_at = paid_at - interval '30 days'`;
  await sql()`truncate bank_days, statement_differences`;
  await sql()`delete from alerts where type like 'bank_statement.%'`;
  shop = await aMerchant();
  bank = banks.named("sandbox") as SandboxBank;
});
afterEach(() => vi.restoreAllMocks());

/** Sends money that the bank takes yesterday at noon, and waits until its notice has come. Returns the session. */
async function pay(
  { accountNumber, amount: exact }: Pick<PaymentLink, "accountNumber" | "amount">,
  amount: Money = exact,
): Promise<string> {
  const sessionId = newReference();
  await bank.makeTransfer({ accountNumber, amount, senderName: "Chidi Eze", sessionId, madeAt: NOON });
  await until(async () => (await sql()`select from bank_sessions where session_id = ${sessionId}`).length === 1);
  return sessionId;
}

/** Stores a transfer at the bank, whose notice is lost. */
async function payUnheard(accountNumber: string, amount = naira(5_000)): Promise<string> {
  const sessionId = newReference();
  await sql()`
    insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at)
    values (${sessionId}, ${accountNumber}, ${String(amount.minor)}::text::bigint, 'Chidi Eze', ${NOON.toISOString()})`;
  return sessionId;
}

/** Makes the differences so old that operators are told of them. */
const age = () => sql()`update statement_differences set created_at = created_at - interval '1 hour'`;

const dayAt = async (provider: string) => (await listBankDays(anOperator)).find((each) => each.provider === provider && each.day === DAY);
const differences = async () => (await listDifferences(anOperator, "sandbox", DAY)).listed;
const alertTypes = async () =>
  (await sql()<{ type: string }[]>`select type from alerts where type like 'bank_statement.%' order by id`).map(({ type }) => type);

describe("a day of a bank with statements", () => {
  test("matches where each line has an equal transfer: paid, sent back by the bank, or taken back", async () => {
    const [paid, recalled] = [await aLink(shop), await aLink(shop)];
    await pay(paid);
    await pay(paid, naira(1));
    const session = await pay(recalled);
    await sql()`update sandbox.bank_transfers set rejection = 'recalled', returned_at = ${NOON.toISOString()} where session_id = ${session}`;
    await readChanged(ctx, "sandbox", recalled.reference);
    await readStatements(ctx);
    // Three came, and two went back.
    expect(await dayAt("sandbox")).toMatchObject({ source: "statement", lines: 5, matched: 5, open: 0 });
    expect(await differences()).toEqual([]);
    expect(await alertTypes()).toEqual([]);
  });

  test("of which a notice was lost is made good by reading the account, and the wallet has the money", async () => {
    const link = await aLink(shop);
    await payUnheard(link.accountNumber);
    await Promise.all(times(3, () => readStatements(ctx)));
    expect(await dayAt("sandbox")).toMatchObject({ lines: 1, matched: 0, open: 1 });
    await readDueAccounts(ctx);
    await readStatements(ctx);
    expect(await alertTypes()).toEqual([]);
    expect((await getLinkByReference(shop.ctx, link.reference)).status).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect(await dayAt("sandbox")).toMatchObject({ lines: 1, matched: 1, open: 0 });
    await expectInvariantsToHold();
  });

  test("shows money for no account of ours as missing here, and tells operators once", async () => {
    const session = await payUnheard("0000000009");
    await readStatements(ctx);
    expect(await alertTypes()).toEqual([]);
    await age();
    for (let round = 0; round < 2; round++) await readStatements(ctx);
    expect(await dayAt("sandbox")).toMatchObject({ lines: 1, matched: 0, open: 1 });
    expect(await differences()).toMatchObject([
      { sessionId: session, direction: "in", kind: "missing_here", here: null, there: naira(5_000), explanation: null },
    ]);
    expect(await alertTypes()).toEqual(["bank_statement.differs"]);
    // Another difference in its place is told, although there is one as before.
    await sql()`delete from sandbox.bank_transfers where session_id = ${session}`;
    await payUnheard("0000000009", naira(90_000));
    await readStatements(ctx);
    await age();
    await readStatements(ctx);
    expect(await alertTypes()).toEqual(["bank_statement.differs", "bank_statement.differs"]);
  });

  test("shows another amount, a transfer of which the bank knows nothing, and money that only the bank says went back", async () => {
    const [changed, gone, back] = [await aLink(shop), await aLink(shop), await aLink(shop)];
    const [one, two, three] = [await pay(changed), await pay(gone), await pay(back)];
    await sql()`update sandbox.bank_transfers set amount = 499900 where session_id = ${one}`;
    await sql()`delete from sandbox.bank_transfers where session_id = ${two}`;
    await sql()`update sandbox.bank_transfers set returned_at = ${NOON.toISOString()} where session_id = ${three}`;
    await readStatements(ctx);
    const found = await differences();
    expect(new Map(found.map((each) => [each.sessionId, each]))).toEqual(
      new Map([
        [one, expect.objectContaining({ kind: "amount_differs", direction: "in", here: naira(5_000), there: naira(4_999) })],
        [two, expect.objectContaining({ kind: "missing_there", direction: "in", here: naira(5_000), there: null })],
        [three, expect.objectContaining({ kind: "missing_here", direction: "out", here: null, there: naira(5_000) })],
      ]),
    );
    expect(await dayAt("sandbox")).toMatchObject({ lines: 3, matched: 1, open: 3 });
    expect(await walletOf(shop)).toEqual(naira(15_000));
  });

  test("shows money that the statement has twice, and counts it once", async () => {
    const link = await aLink(shop);
    const sessionId = await pay(link);
    const line = { sessionId, accountReference: link.reference, direction: "in" as const, amount: naira(5_000) };
    vi.spyOn(bank, "readStatement").mockImplementation(async (day) => ({ status: "read", lines: day === DAY ? [line, line] : [] }));
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ kind: "amount_differs", here: naira(5_000), there: naira(10_000) }]);
    expect(await dayAt("sandbox")).toMatchObject({ lines: 1, matched: 0, open: 1 });
  });

  test("leaves transfers of the days beside it to those days", async () => {
    const link = await aLink(shop);
    const start = startOfLagosDay(DAY).getTime();
    for (const at of [start - 1, start + DAY_MS]) {
      const sessionId = newReference();
      await bank.makeTransfer({ ...link, senderName: "x", sessionId, madeAt: new Date(at), amount: naira(1) });
      await until(async () => (await sql()`select from bank_sessions where session_id = ${sessionId}`).length === 1);
    }
    await readStatements(ctx);
    expect(await dayAt("sandbox")).toMatchObject({ lines: 0, matched: 0, open: 0 });
  });

  test("keeps an explanation while the difference stays, opens it again when its amount changes, and closes it when it is gone", async () => {
    const session = await payUnheard("0000000009");
    const key = { provider: "sandbox", day: DAY, sessionId: session, direction: "in" as const };
    await readStatements(ctx);
    await expect(explainDifference(anOperator, key, " ")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await explainDifference(anOperator, key, "A test of the bank's own.")).toBe(true);
    expect(await explainDifference(anOperator, key, "Again.")).toBe(false);
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: "A test of the bank's own." }]);
    expect(await dayAt("sandbox")).toMatchObject({ open: 0 });
    expect(
      await sql()`select reason from audit_entries where action = 'bank_statement.explained' and subject like ${`%${session}%`}`,
    ).toEqual([{ reason: "A test of the bank's own." }]);
    await sql()`update sandbox.bank_transfers set amount = 1 where session_id = ${session}`;
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: null, there: { minor: 1n } }]);
    await sql()`delete from sandbox.bank_transfers where session_id = ${session}`;
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: "A later comparison does not find it." }]);
    expect(await dayAt("sandbox")).toMatchObject({ lines: 0, open: 0 });
  });

  test("opens a difference again that was explained, was gone, and comes back", async () => {
    const session = await payUnheard("0000000009");
    await readStatements(ctx);
    await explainDifference(anOperator, { provider: "sandbox", day: DAY, sessionId: session, direction: "in" }, "Known.");
    await sql()`update sandbox.bank_transfers set made_at = made_at - interval '9 days' where session_id = ${session}`;
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: "Known." }]);
    await sql()`update sandbox.bank_transfers set made_at = made_at + interval '9 days' where session_id = ${session}`;
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: null }]);
    await explainDifference(anOperator, { provider: "sandbox", day: DAY, sessionId: session, direction: "in" }, "Known again.");
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ explanation: "Known again." }]);
  });

  test("shows a transfer that the statement has for another account of ours, or on another day", async () => {
    const [link, other, late] = [await aLink(shop), await aLink(shop), await aLink(shop)];
    const [session, old] = [await pay(link), await pay(late)];
    await sql()`update bank_transfers set received_at = received_at - interval '3 days' where session_id = ${old}`;
    const line = { sessionId: session, accountReference: other.reference, direction: "in" as const, amount: naira(5_000) };
    const lines = [line, { ...line, sessionId: old, accountReference: late.reference }];
    vi.spyOn(bank, "readStatement").mockImplementation(async (day) => ({ status: "read", lines: day === DAY ? lines : [] }));
    await readStatements(ctx);
    const kinds = new Map((await differences()).map(({ sessionId, kind }) => [sessionId, kind]));
    expect(kinds).toEqual(
      new Map([
        [session, "account_differs"],
        [old, "other_day"],
      ]),
    );
  });

  test("shows money that the bank sent back after an operator had it sent back by hand", async () => {
    const link = await aLink(shop);
    const sessionId = await pay(link, naira(1));
    await sql()`update bank_transfers set returned_by_hand = true where session_id = ${sessionId}`;
    await readStatements(ctx);
    expect(await differences()).toMatchObject([{ sessionId, direction: "out", kind: "missing_here" }]);
  });

  test("takes money of the last hour from the statement of the next day, and waits for it where that day is not over", async () => {
    const link = await aLink(shop);
    const before = lagosDay(new Date(Date.now() - 2 * DAY_MS));
    const [listed, lost, recent] = [await pay(link), await pay(link, naira(1)), await pay(link, naira(2))];
    const end = startOfLagosDay(DAY).getTime();
    for (const session of [listed, lost])
      await sql()`update bank_transfers set received_at = ${new Date(end - 60_000).toISOString()} where session_id = ${session}`;
    await sql()`update bank_transfers set received_at = ${new Date(end + DAY_MS - 60_000).toISOString()} where session_id = ${recent}`;
    const line = { sessionId: listed, accountReference: link.reference, direction: "in" as const, amount: naira(5_000) };
    vi.spyOn(bank, "readStatement").mockImplementation(async (day) =>
      day === lagosDay(new Date()) ? { status: "unknown" } : { status: "read", lines: day === DAY ? [line] : [] },
    );
    await readStatements(ctx);
    expect(await dayAt("sandbox")).toMatchObject({ lines: 1, matched: 1, open: 0 });
    const { listed: differing } = await listDifferences(anOperator, "sandbox", before);
    expect(differing.map(({ sessionId, kind }) => [sessionId, kind])).toEqual([[lost, "missing_there"]]);
  });

  test("that was not compared for a week is compared all the same, and shown as not compared until then", async () => {
    await sql()`insert into bank_days (provider, day, source, lines, matched, read_at) values ('sandbox', ${DAY}::date - 8, 'statement', 0, 0, now())`;
    const gap = (await listBankDays(anOperator)).filter(({ provider, source }) => provider === "sandbox" && source === null);
    expect(gap).toHaveLength(8);
    await readStatements(ctx);
    expect((await listBankDays(anOperator)).filter(({ source }) => source === null)).toEqual([]);
  });

  test("that the bank does not give is no day, and is told to operators after two days, once", async () => {
    vi.spyOn(bank, "readStatement").mockResolvedValue({ status: "unknown" });
    for (let round = 0; round < 2; round++) await readStatements(ctx);
    expect(await dayAt("sandbox")).toBeUndefined();
    // Those of two and of three days ago.
    expect(await alertTypes()).toEqual(["bank_statement.missing", "bank_statement.missing"]);
  });

  test("that cannot be compared stops no other day and no other bank", async () => {
    const real = bank.readStatement;
    vi.spyOn(bank, "readStatement").mockImplementation(async (day) => {
      if (day === DAY) throw new Error("unreadable");
      return real(day);
    });
    await readStatements(ctx);
    expect((await dayAt("sandbox"))?.source).toBeNull();
    expect(await dayAt("sandbox-plain")).toBeDefined();
    expect((await listBankDays(anOperator)).filter(({ provider, source }) => provider === "sandbox" && source !== null)).toHaveLength(2);
    expect(await alertTypes()).toEqual(["bank_statement.missing"]);
  });
});

test("a day of a bank without statements says of how many accounts the last reading is done", async () => {
  const other = await aMerchant({ bank: "sandbox-plain" });
  const [read, unread] = [await aLink(other), await aLink(other)];
  const { leastIdAt } = await import("#lib/ids.ts");
  for (const [n, { id }] of [read, unread].entries())
    await sql()`update one_time_accounts set link_id = ${`${leastIdAt("paymentLink", NOON.getTime() + n)}X`} where link_id = ${id}`;
  await sql()`update one_time_accounts set next_read_at = null where account_number = ${read.accountNumber}`;
  await readStatements(ctx);
  expect(await dayAt("sandbox-plain")).toMatchObject({ source: "accounts", lines: 2, matched: 1, open: 0 });
});
