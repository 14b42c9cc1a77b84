import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sql } from "#db/client.ts";
import { newReference } from "#lib/ids.ts";
import { type Money, naira } from "#lib/money.ts";
import { newLinkReference } from "#lib/references.ts";
import type { BankCapabilities } from "#providers/bank.ts";
import type { SandboxBank } from "#providers/sandbox/bank.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { times, until } from "#testing/until.ts";
import { decidedByTwo } from "../../approved.fixture.ts";
import { systemContext } from "../../context.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { banks } from "../../providers/index.ts";
import { accountBalance, aLink, eventTypesOf, makeOverdue, walletOf } from "../checkout.fixture.ts";
import { getLinkByReference } from "../links/read-links.ts";
import type { PaymentLink } from "../payment-link.ts";
import { presentPaymentLink } from "../present.ts";
import { readDueAccounts } from "./read-accounts.ts";
import { receiveNotice } from "./receive-notice.ts";
import { returnOwedTransfers } from "./return-transfers.ts";
import { settleReturn } from "./settle-return.ts";
import { endTime } from "./test-mode.ts";

withDatabase();
withApp();

const ctx = systemContext("test");
let shop: TestMerchant;
let bank: SandboxBank;
let capabilities: BankCapabilities;
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(bank, { capabilities });
});

async function open(name: "sandbox" | "sandbox-plain") {
  shop = await aMerchant({ bank: name });
  // The instance that the services call. Both test banks can play payers.
  bank = banks.named(name) as SandboxBank;
  capabilities = bank.capabilities;
}

const change = (changes: Partial<BankCapabilities>) => Object.assign(bank, { capabilities: { ...capabilities, ...changes } });

interface Payment {
  amount?: Money;
  senderName?: string;
  sessionId?: string;
  madeAt?: Date | null;
}

/** Sends money to the account of a link, and waits until the bank has sent its notice, if it sends one. Returns the bank's id of the transfer. */
async function pay(
  link: PaymentLink,
  { amount = link.amount, senderName = "Chidi Eze", sessionId = newReference(), madeAt = null }: Payment = {},
) {
  await bank.makeTransfer({ accountNumber: link.accountNumber, amount, senderName, sessionId, madeAt });
  return sessionId;
}

const now = ({ reference }: PaymentLink) => getLinkByReference(shop.ctx, reference);
/** Has the bank asked to return money until it says that it has. */
const returnAll = () =>
  until(async () => {
    await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where return_state = 'owed' and merchant_id = ${shop.merchant.id}`;
    await returnOwedTransfers(ctx);
    const owed = await sql()`select from bank_transfers where merchant_id = ${shop.merchant.id} and return_state = 'owed'`;
    return owed.length === 0;
  });
const operatorAlerts = async (resource: string) =>
  (await sql()<{ type: string }[]>`select type from alerts where resource_id = ${resource} and merchant_id = 'mer_platform_test'`).map(
    ({ type }) => type,
  );
const secondsUntilRead = async ({ id }: PaymentLink) => {
  const [row] = await sql()<{ seconds: number }[]>`
    select round(extract(epoch from next_read_at - now()))::int as seconds from one_time_accounts where link_id = ${id}`;
  return row?.seconds ?? Number.NaN;
};

describe.each(["sandbox", "sandbox-plain"] as const)("a link whose account is at %s", (name) => {
  beforeEach(() => open(name));

  test("is paid once by exact money, however often its notice comes, and the wallet has the amount", async () => {
    const link = await aLink(shop);
    const sessionId = await pay(link);
    await Promise.all(times(20, () => pay(link, { sessionId })));
    const paid = await until(async () => {
      const seen = await now(link);
      return seen.status === "success" && seen;
    });
    expect(paid.transfers).toMatchObject([{ classification: "exact", disposition: "accepted", amount: naira(5_000), sessionId }]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    expect(await eventTypesOf(shop)).toEqual(["checkout.success"]);
    await expectInvariantsToHold();
  });

  test("shows money of another amount, which goes back and moves no wallet, and takes the exact amount after it", async () => {
    const link = await aLink(shop);
    await pay(link, { amount: naira(4_999) });
    await pay(link, { amount: naira(5_001) });
    const seen = await until(async () => {
      const { transfers } = await now(link);
      return transfers.length === 2 && transfers;
    });
    expect(seen.map(({ classification, disposition }) => [classification, disposition]).toSorted()).toEqual([
      ["overpaid", "returned"],
      ["underpaid", "returned"],
    ]);
    expect(await walletOf(shop)).toEqual(naira(0));
    await pay(link);
    await until(async () => (await now(link)).status === "success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("is shown as expired after money that the bank took too late, with the transfer where the bank tells it", async () => {
    const link = await aLink(shop);
    await makeOverdue(link);
    await sql()`update sandbox.bank_accounts set closes_at = now() - interval '1 s' where account_number = ${link.accountNumber}`;
    await pay(link);
    await sql()`update one_time_accounts set next_read_at = now() - interval '1 s' where link_id = ${link.id}`;
    await readDueAccounts(ctx);
    const told = bank.capabilities.sendsBack.late === "told" ? [{ classification: "late", disposition: "returned" }] : [];
    expect(await now(link)).toMatchObject({ status: "expired", transfers: told });
    expect((await now(link)).transfers).toHaveLength(told.length);
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("whose time was ended early takes no exact money: it goes back by itself, or on our request", async () => {
    const link = await aLink(shop);
    const closed = vi.spyOn(bank, "closeAccount");
    await endTime(link);
    expect(closed.mock.calls).toEqual(bank.capabilities.canClose ? [[link.reference]] : []);
    await pay(link);
    await until(async () => (await now(link)).transfers.length === 1);
    await returnAll();
    expect(await now(link)).toMatchObject({ status: "expired", transfers: [{ classification: "late", sentBack: true }] });
    expect(await walletOf(shop)).toEqual(naira(0));
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
    await expectInvariantsToHold();
  });

  test("says nothing of a second transfer where its bank does not, and credits once", async () => {
    const link = await aLink(shop);
    await pay(link);
    await until(async () => (await now(link)).status === "success");
    await pay(link);
    await sql()`update one_time_accounts set next_read_at = now() - interval '1 s' where link_id = ${link.id}`;
    await readDueAccounts(ctx);
    const shown = (await now(link)).transfers.map(({ classification }) => classification);
    expect(shown).toEqual(bank.capabilities.sendsBack.duplicate === "told" ? ["exact", "duplicate"] : ["exact"]);
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("is opened once for a request whose first answer was lost, and its payer's money arrives", async () => {
    const { openAccount } = bank;
    vi.spyOn(bank, "openAccount").mockImplementationOnce(async (request) => {
      await openAccount(request);
      return { status: "unknown" };
    });
    const reference = newLinkReference(shop.merchant.number);
    const asked = { ...shop, ctx: { ...shop.ctx, resourceId: reference } };
    await expect(aLink(asked)).rejects.toMatchObject({ code: "PROVIDER_ERROR", outcome: "unknown" });
    const links = await Promise.all(times(4, () => aLink({ ...asked, ctx: { ...asked.ctx, resumed: true } })));
    expect(new Set(links.map(({ accountNumber }) => accountNumber)).size).toBe(1);
    const [link] = links;
    if (!link) throw new Error("no link");
    expect(link.reference).toBe(reference);
    await pay(link);
    await until(async () => (await now(link)).status === "success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });

  test("has a checkout_url: the bank's page, or the payment page where the bank has none", async () => {
    const link = await aLink(shop);
    const { checkout_url, payment_link } = presentPaymentLink(link, "https://oja.example");
    if (name === "sandbox") expect(new URL(checkout_url).pathname).toBe(`/sandbox/bank/checkout/${link.reference}`);
    else expect(checkout_url).toBe(payment_link);
  });
});

describe("a bank that opens an account and does not tell it again", () => {
  beforeEach(() => open("sandbox-plain"));

  test("is asked with the next reference, five times at most, and then no link is made", async () => {
    const asked = vi.spyOn(bank, "openAccount").mockResolvedValue({ status: "exists" });
    // Final, so that a replay is a new attempt with a new reference.
    const refusal = { code: "PROVIDER_ERROR", outcome: "not_executed", isFinal: true };
    await expect(aLink(shop)).rejects.toMatchObject(refusal);
    const references = asked.mock.calls.map(([{ reference }]) => reference);
    const [first = ""] = references;
    expect(references).toEqual([first, `${first}-2`, `${first}-3`, `${first}-4`, `${first}-5`]);
    const emails = asked.mock.calls.map(([{ payer }]) => payer.email);
    expect(new Set(emails).size).toBe(5);
    expect(await sql()`select from payment_links where merchant_id = ${shop.merchant.id}`).toHaveLength(0);
  });

  test("tells operators of money at an account that no link has, and credits nobody", async () => {
    const reference = newReference();
    await Promise.all(times(3, () => receiveNotice(ctx, "sandbox-plain", { accountToRead: reference })));
    expect(await operatorAlerts(reference)).toEqual(["bank_account.not_ours"]);
    const endless = "X".repeat(10_000);
    await receiveNotice(ctx, "sandbox-plain", { accountToRead: endless });
    expect(await operatorAlerts(endless.slice(0, 100))).toEqual(["bank_account.not_ours"]);
  });

  test("does not mix its accounts with those that another bank opened for the same reference", async () => {
    const reference = newLinkReference(shop.merchant.number);
    const request = {
      ...{ reference, amount: naira(5_000), accountName: "Shop", validForMs: 1_800_000 },
      payer: { name: "Customer", email: "payer@shop.example" },
    };
    expect((await banks.named("sandbox")?.openAccount(request))?.status).toBe("opened");
    expect((await bank.openAccount(request)).status).toBe("opened");
    expect(await bank.readAccount({ reference, amount: naira(5_000) })).toEqual({ status: "read", transfers: [] });
  });

  test("ignores more than fifty transfers to an account, because Oja does not hear of all of them", async () => {
    const link = await aLink(shop);
    for (let n = 0; n < 52; n++) await pay(link);
    const [row] = await sql()`select count(*)::int as transfers from sandbox.bank_transfers where account_number = ${link.accountNumber}`;
    expect(row).toEqual({ transfers: 50 });
    expect(await walletOf(shop)).toEqual(naira(5_000));
  });
});

describe("a bank that only hints", () => {
  beforeEach(() => open("sandbox-plain"));

  /** Stores a transfer at the bank without a notice. */
  const payUnheard = ({ accountNumber, amount }: PaymentLink) => sql()`
    insert into sandbox.bank_transfers (session_id, account_number, amount, sender_name, made_at)
    values (${newReference()}, ${accountNumber}, ${String(amount.minor)}::text::bigint, 'Chidi Eze', now())`;
  const hint = ({ reference }: PaymentLink) => receiveNotice(ctx, "sandbox-plain", { accountToRead: reference });
  const makeDue = ({ id }: PaymentLink) => sql()`update one_time_accounts set next_read_at = now() - interval '1 s' where link_id = ${id}`;

  test("is read at once, and again a minute later, because its reading may be older than its hint", async () => {
    const link = await aLink(shop);
    await hint(link);
    expect((await now(link)).status).toBe("pending");
    expect(await secondsUntilRead(link)).toBeGreaterThan(50);
    expect(await secondsUntilRead(link)).toBeLessThan(70);
    await payUnheard(link);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await secondsUntilRead(link)).toBeGreaterThan(1_000);
  });

  test("and cannot be read then is read by the sweep", async () => {
    const link = await aLink(shop);
    await payUnheard(link);
    vi.spyOn(bank, "readAccount").mockResolvedValueOnce({ status: "unknown" });
    await hint(link);
    expect((await now(link)).status).toBe("pending");
    expect(await secondsUntilRead(link)).toBeLessThan(150);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
  });

  test("while a sweep reads, before the money arrived, is not forgotten when that reading ends", async () => {
    const link = await aLink(shop);
    const real = bank.readAccount;
    await makeDue(link);
    const read = vi.spyOn(bank, "readAccount").mockImplementationOnce(async (reference) => {
      const before = await real(reference);
      await payUnheard(link);
      read.mockResolvedValueOnce({ status: "unknown" });
      await hint(link);
      return before;
    });
    await readDueAccounts(ctx);
    expect(read).toHaveBeenCalledTimes(2);
    expect((await now(link)).status).toBe("pending");
    expect(await secondsUntilRead(link)).toBeLessThan(150);
    await makeDue(link);
    await readDueAccounts(ctx);
    expect((await now(link)).status).toBe("success");
  });

  test("of a payment that was taken back eight days later is not dropped after one reading that fails, and then operators are told", async () => {
    const link = await aLink(shop);
    await pay(link);
    await makeOverdue(link, 8 * 86_400_000);
    const read = vi.spyOn(bank, "readAccount").mockResolvedValue({ status: "unknown" });
    await hint(link);
    expect(await secondsUntilRead(link)).toBeLessThan(150);
    await sql()`delete from alerts where resource_id = 'sandbox-plain'`;
    await makeDue(link);
    await readDueAccounts(ctx);
    expect(await operatorAlerts("sandbox-plain")).toEqual(["bank_account.unread"]);
    read.mockRestore();
    await sql()`update sandbox.bank_transfers set rejection = 'recalled', returned_at = now() where account_number = ${link.accountNumber}`;
    await hint(link);
    expect((await now(link)).recalledAt).not.toBeNull();
    expect(await walletOf(shop)).toEqual(naira(0));
    await expectInvariantsToHold();
  });

  test("again and again, while it cannot be read, does not make its account wait longer", async () => {
    const link = await aLink(shop);
    vi.spyOn(bank, "readAccount").mockResolvedValue({ status: "unknown" });
    for (let n = 0; n < 6; n++) await hint(link);
    expect(await secondsUntilRead(link)).toBeLessThan(150);
  });

  test("twenty times at once about an account that is not read any more is read all the same, and credits once", async () => {
    const link = await aLink(shop);
    await payUnheard(link);
    await sql()`update one_time_accounts set next_read_at = null where link_id = ${link.id}`;
    await Promise.all(times(20, () => hint(link)));
    expect((await now(link)).status).toBe("success");
    expect(await walletOf(shop)).toEqual(naira(5_000));
    await expectInvariantsToHold();
  });
});

describe("a bank that cannot return money by itself", () => {
  beforeEach(() => open("sandbox-plain"));

  test.each(["Closed Account", "Unknown Account"])(
    "has operators told at once, and the money of %s stays in suspense",
    async (senderName) => {
      const link = await aLink(shop);
      await endTime(link);
      await pay(link, { senderName });
      const transfer = await until(async () => {
        const [row] = await sql()<{ id: string }[]>`select id from bank_transfers where link_id = ${link.id} and return_state = 'owed'`;
        return row;
      });
      for (let round = 0; round < 2; round++) {
        await sql()`update bank_transfers set next_return_at = now() - interval '1 s' where id = ${transfer.id}`;
        await returnOwedTransfers(ctx);
      }
      expect(await operatorAlerts(transfer.id)).toEqual(["bank_return.failed"]);
      expect(await accountBalance(shop.merchant.id, "suspense")).toBe(naira(5_000).minor);
      // A worker has just asked the bank, and its call may still be under way.
      expect(await decidedByTwo((by) => settleReturn(by, transfer.id, "Too early."))).toBe("may_come");
      await sql()`update bank_transfers set next_return_at = next_return_at - interval '61 s' where id = ${transfer.id}`;
      expect(await decidedByTwo((by) => settleReturn(by, transfer.id, "Paid back in cash."))).toBe("settled");
      expect(await decidedByTwo((by) => settleReturn(by, transfer.id, "Again."))).toBe("not_owed");
      expect((await now(link)).transfers).toMatchObject([{ disposition: "returned", sentBack: true }]);
      expect(await sql()`select returned_by_hand from bank_transfers where id = ${transfer.id}`).toEqual([{ returned_by_hand: true }]);
      expect(await accountBalance(shop.merchant.id, "suspense")).toBe(0n);
      expect(await sql()`select action, reason from audit_entries where subject = ${transfer.id}`).toEqual([
        { action: "suspense.settled", reason: "Paid back in cash." },
      ]);
      await expectInvariantsToHold();
    },
  );

  test("or may still do it, is not settled by hand", async () => {
    const link = await aLink(shop);
    await endTime(link);
    await pay(link);
    await until(async () => (await now(link)).transfers.length === 1);
    const [owed] = await sql()<{ id: string }[]>`select id from bank_transfers where link_id = ${link.id}`;
    expect(await decidedByTwo((by) => settleReturn(by, owed?.id ?? "", "Before it was asked."))).toBe("may_come");
    expect(await accountBalance(shop.merchant.id, "suspense")).toBe(naira(5_000).minor);
  });

  test("and has no request for it is not asked, and operators are told at once", async () => {
    const link = await aLink(shop);
    await endTime(link);
    await pay(link);
    await until(async () => (await now(link)).transfers.length === 1);
    const asked = vi.spyOn(bank, "returnTransfer");
    change({ canReturn: false });
    await returnOwedTransfers(ctx);
    const [transfer] = await sql()<{ id: string }[]>`select id from bank_transfers where link_id = ${link.id}`;
    expect(asked).not.toHaveBeenCalled();
    expect(await operatorAlerts(transfer?.id ?? "")).toEqual(["bank_return.failed"]);
  });
});

describe("the limits of a bank", () => {
  beforeEach(() => open("sandbox-plain"));

  test("refuse an amount that its accounts do not take, before it is asked, with the limit", async () => {
    const asked = vi.spyOn(bank, "openAccount");
    await expect(aLink(shop, { amount: 5_000_000.01 })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Send at most ₦5,000,000.00: the bank takes no more.",
    });
    expect(asked).not.toHaveBeenCalled();
    expect((await aLink(shop, { amount: 5_000_000 })).status).toBe("pending");
  });

  test.each([
    ["adds a fee for its payer", { addsPayerFee: true }],
    ["has no account that is open for 30 minutes", { validForMs: { min: 60_000, max: 1_799_999 } }],
  ])("refuse every link where the bank %s", async (_, changed) => {
    const asked = vi.spyOn(bank, "openAccount");
    change(changed);
    await expect(aLink(shop)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
    expect(asked).not.toHaveBeenCalled();
  });

  test("let an account be open for longer than its link, where the bank has no shorter ones", async () => {
    const asked = vi.spyOn(bank, "openAccount");
    change({ validForMs: { min: 2_400_000, max: 2_400_000 } });
    const link = await aLink(shop);
    expect(asked.mock.calls[0]?.[0].validForMs).toBe(2_400_000);
    expect(link.expiresAt.getTime() - link.createdAt.getTime()).toBe(1_800_000);
  });
});
