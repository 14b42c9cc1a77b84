import { describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited, lockWaiters } from "#testing/locks.ts";
import { outsideTransaction } from "#testing/outside-transaction.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { times, until } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import { changeRole, restrict } from "../../members/index.ts";
import { aMember, asMember } from "../../members/member.fixture.ts";
import { anOperator, byOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { denyChange } from "../../users/index.ts";
import { issueToken } from "../../users/tokens.ts";
import { aStranger, mailsTo } from "../../users/users.fixture.ts";
import {
  addBankAccount,
  approvePayout,
  createPayout,
  decideBankAccount,
  findAccountOfLink,
  getBankAccount,
  getPayoutRequest,
  getPayoutRules,
  listAccountsToDecide,
  listBankAccounts,
  listBanks,
  nameBankAccount,
  removeBankAccount,
  removeBankAccountByLink,
  requestPayout,
  setPayoutRules,
} from "../index.ts";
import { aBankAccount, aClaimedPayout, aLivePayoutMerchant, anAccountNumber, aPayoutMerchant, chosenRules } from "../payouts.fixture.ts";

// Live mode has a simulated Paystack, and test mode the app's own banks.
const paystack = withPaystack();
withDatabase();
withApp();

const HARBOUR = "00A";
const GTB = "058";
const REFUSED = { code: "VALIDATION_ERROR" };
const hoursUntil = (at: Date): number => (at.getTime() - Date.now()) / 3_600_000;
const emailOf = async (userId: string) => (await sql()<{ email: string }[]>`select email from users where id = ${userId}`)[0]?.email ?? "";

/** Asks for the name of an account, and adds it with this name. */
async function add(ctx: TestMerchant["ctx"], bankCode: string, accountNumber = anAccountNumber()) {
  const { accountName } = await nameBankAccount(ctx, { bankCode, accountNumber });
  return addBankAccount(ctx, { bankCode, accountNumber, accountName });
}

/** A member with all rights to money, who has proved it with a second factor. */
async function aLeader({ merchant, ctx }: TestMerchant, role: "owner" | "admin" = "owner") {
  const member = await aMember(merchant.businessId, role);
  const own: MemberContext = asMember(ctx, member);
  return { userId: member.userId, own, proven: withProof(own, "manage_payouts", { hasSecondFactor: true }) };
}

/** Adds an account in live mode whose owner is the business. */
async function addOwn(shop: TestMerchant, ctx: TestMerchant["ctx"] = byOperator(shop.ctx)) {
  const number = anAccountNumber();
  paystack.payouts.nameOwner(number, "ADAS SHOP LTD");
  return add(ctx, GTB, number);
}

const stateOf = async ({ ctx }: TestMerchant, id: string) => (await getBankAccount(ctx, id)).state;

/** The tokens of the links that remove accounts, in the mails to a person. */
async function removalTokens(userId: string): Promise<string[]> {
  const mails = (await mailsTo(await emailOf(userId))).filter(({ kind }) => kind === "bank_account_added");
  return mails.map(({ text }) => /token=([\w.-]+)/.exec(text)?.[1] ?? "");
}

describe("the banks and names of accounts", () => {
  test("come from the merchant's bank, in the order of their names", async () => {
    const shop = await aPayoutMerchant({ wallet: 0 });
    const names = (await listBanks(shop.ctx)).map(({ name }) => name);
    expect(names.length).toBeGreaterThan(2);
    expect(names).toEqual(names.toSorted((a, b) => a.localeCompare(b, "en")));
    const live = await aLivePayoutMerchant({ wallet: 0 });
    expect(await listBanks(live.ctx)).toContainEqual({ code: "035A", name: "ALAT by WEMA" });
  });

  test("a bank that is not listed and a number without an account are refused", async () => {
    const { ctx } = await aPayoutMerchant({ wallet: 0 });
    await expect(nameBankAccount(byOperator(ctx), { bankCode: "zzz", accountNumber: anAccountNumber() })).rejects.toMatchObject(REFUSED);
    await expect(nameBankAccount(byOperator(ctx), { bankCode: HARBOUR, accountNumber: anAccountNumber("4040") })).rejects.toMatchObject(
      REFUSED,
    );
  });

  test("a merchant without a bank is told so", async () => {
    const shop = await aPayoutMerchant({ wallet: 0 });
    const live = { ...shop.ctx, merchant: { ...shop.merchant, id: shop.liveMerchantId, mode: "live" as const, bank: null } };
    await expect(listBanks(live)).rejects.toMatchObject({ code: "PROVIDER_UNAVAILABLE" });
  });
});

describe("an account in test mode", () => {
  test("can be used at once, and no mail is sent", async () => {
    const shop = await aPayoutMerchant();
    const { userId } = await aLeader(shop);
    const account = await add(byOperator(shop.ctx), HARBOUR);
    expect(account).toMatchObject({ state: "active", bankCode: HARBOUR });
    await aClaimedPayout(shop, { bankAccountId: account.id });
    expect(await removalTokens(userId)).toEqual([]);
  });

  test("is there once, although five people add it at once, and comes back after it was removed", async () => {
    const shop = await aPayoutMerchant({ wallet: 0 });
    const ctx = byOperator(shop.ctx);
    const number = anAccountNumber();
    const results = await Promise.allSettled(times(5, () => add(ctx, HARBOUR, number)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(REFUSED);
    const [{ id } = { id: "" }] = await listBankAccounts(shop.ctx);
    await removeBankAccount(ctx, id);
    await removeBankAccount(ctx, id);
    expect(await listBankAccounts(shop.ctx)).toEqual([]);
    await add(ctx, HARBOUR, number);
    expect(await listBankAccounts(shop.ctx)).toHaveLength(1);
    const notes = await sql()`select 1 from audit_entries where subject = ${id} and action = 'bank_account.removed'`;
    expect(notes).toHaveLength(1);
  });

  test("is refused with another owner than was shown, and beyond twenty", async () => {
    const shop = await aPayoutMerchant({ wallet: 0 });
    const ctx = byOperator(shop.ctx);
    const wrong = { bankCode: HARBOUR, accountNumber: anAccountNumber(), accountName: "SOMEBODY ELSE" };
    await expect(addBankAccount(ctx, wrong)).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
    for (let i = 0; i < 19; i++) await aBankAccount(shop);
    const results = await Promise.allSettled(times(3, () => add(ctx, HARBOUR)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("takes no money once it is removed, of another merchant, or of another bank than the money is at", async () => {
    const [shop, other] = [await aPayoutMerchant(), await aPayoutMerchant()];
    const [removed, theirs, elsewhere] = [await aBankAccount(shop), await aBankAccount(other), await aBankAccount(shop)];
    await removeBankAccount(byOperator(shop.ctx), removed);
    await sql()`update bank_accounts set provider = 'sandbox-plain' where id = ${elsewhere}`;
    const gone = { code: "RESOURCE_NOT_FOUND" };
    await expect(aClaimedPayout(shop, { bankAccountId: removed })).rejects.toMatchObject(gone);
    await expect(aClaimedPayout(shop, { bankAccountId: theirs })).rejects.toMatchObject(gone);
    await expect(aClaimedPayout(shop, { bankAccountId: elsewhere })).rejects.toMatchObject(REFUSED);
    await expect(getBankAccount(shop.ctx, theirs)).rejects.toMatchObject(gone);
    await expect(removeBankAccount(byOperator(shop.ctx), theirs)).rejects.toMatchObject(gone);
  });

  test("that is removed while a payout to it is claimed gets that payout or refuses it, and no later one", async () => {
    const shop = await aPayoutMerchant();
    const bankAccountId = await aBankAccount(shop);
    await Promise.allSettled([
      ...times(5, () => aClaimedPayout(shop, { bankAccountId })),
      removeBankAccount(byOperator(shop.ctx), bankAccountId),
    ]);
    await expect(aClaimedPayout(shop, { bankAccountId })).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  });
});

describe("an account in live mode", () => {
  test("waits 24 hours, in which nothing is paid to it", async () => {
    const shop = await aLivePayoutMerchant();
    const account = await addOwn(shop);
    expect(account.state).toBe("waiting");
    expect(hoursUntil(account.usableAt)).toBeCloseTo(24, 1);
    await expect(aClaimedPayout(shop, { bankAccountId: account.id })).rejects.toMatchObject(REFUSED);
    await sql()`update bank_accounts set usable_at = now() where id = ${account.id}`;
    await aClaimedPayout(shop, { bankAccountId: account.id });
  });

  test("is told to everyone who is an owner or was one within seven days, with a link that removes it once", async () => {
    const shop = await aLivePayoutMerchant();
    const [owner, admin, former] = [await aLeader(shop), await aLeader(shop, "admin"), await aLeader(shop)];
    await changeRole(withProof(owner.own, "manage_team"), former.userId, "viewer");
    const account = await addOwn(shop, owner.proven);
    expect(await removalTokens(admin.userId)).toEqual([]);
    const [token = ""] = await removalTokens(former.userId);
    expect(await removalTokens(owner.userId)).toEqual([token]);
    expect(await findAccountOfLink(token)).toMatchObject({ number: account.accountNumber.slice(-4), isRemoved: false });
    const answers = await Promise.all(times(5, () => removeBankAccountByLink(aStranger(), token)));
    expect(answers.map(({ status }) => status)).toEqual(Array(5).fill("removed"));
    expect(await stateOf(shop, account.id)).toBe("removed");
    const notes = await sql()`select 1 from audit_entries where subject = ${account.id} and action = 'bank_account.removed'`;
    expect(notes).toHaveLength(1);
  });

  test("stays where a link is changed by a character, names another account, or is older than 30 days", async () => {
    const shop = await aLivePayoutMerchant();
    const owner = await aLeader(shop);
    const [account, other] = [await addOwn(shop, owner.proven), await addOwn(shop)];
    const [token = ""] = await removalTokens(owner.userId);
    const wrong = [token.replace(/.$/, (last) => (last === "0" ? "1" : "0")), token.replace(account.id, other.id), "", "mer_1.bac_1.00"];
    for (const text of wrong) expect(await removeBankAccountByLink(aStranger(), text)).toEqual({ status: "unknown" });
    await sql()`update bank_accounts set created_at = created_at - interval '31 days' where id = ${account.id}`;
    expect(await removeBankAccountByLink(aStranger(), token)).toEqual({ status: "unknown" });
    expect([await stateOf(shop, account.id), await stateOf(shop, other.id)]).toEqual(["waiting", "waiting"]);
  });

  test("whose owner has another name waits for an operator too, who approves or refuses it once", async () => {
    const shop = await aLivePayoutMerchant();
    const [good, bad] = [await add(byOperator(shop.ctx), GTB), await add(byOperator(shop.ctx), GTB)];
    expect(good.state).toBe("deciding");
    expect((await listAccountsToDecide(anOperator)).map(({ id }) => id)).toEqual(expect.arrayContaining([good.id, bad.id]));
    const approve = { approves: true, reason: "The certificate has this name." };
    const decided = await Promise.all(times(5, () => decideBankAccount(anOperator, good.id, approve)));
    expect(decided.filter(Boolean)).toHaveLength(1);
    await decideBankAccount(anOperator, bad.id, { approves: false, reason: "A person of another name." });
    expect([await stateOf(shop, good.id), await stateOf(shop, bad.id)]).toEqual(["waiting", "removed"]);
    const alerts = await sql()<{ message: string }[]>`select message from alerts where merchant_id = ${shop.merchant.id} order by id`;
    expect(alerts.map(({ message }) => message)).toEqual([
      expect.stringContaining("have approved"),
      expect.stringContaining("have not approved"),
    ]);
    expect(await decideBankAccount(anOperator, "bac_unknown", approve)).toBe(false);
  });

  test("is added with a second factor, by a member who is not restricted", async () => {
    const shop = await aLivePayoutMerchant();
    const owner = await aLeader(shop);
    await expect(addOwn(shop, withProof(owner.own, "manage_payouts"))).rejects.toThrow("without one");
    await transaction((tx) => restrict(tx, owner.userId));
    await expect(addOwn(shop, owner.proven)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
  });

  test.each<[string, (shop: TestMerchant, userId: string) => Promise<unknown>]>([
    ["an owner's account is recovered", (_shop, userId) => transaction((tx) => restrict(tx, userId))],
    [
      "another owner is made",
      async (shop, userId) => {
        const next = await aMember(shop.merchant.businessId, "admin");
        const ctx = asMember(shop.ctx, { ...next, userId, role: "owner" });
        await changeRole(withProof(ctx, "manage_team"), next.userId, "owner");
      },
    ],
  ])("waits anew when %s, also if an operator still decides, but not once it was used", async (_what, happen) => {
    const shop = await aLivePayoutMerchant();
    const owner = await aLeader(shop);
    const [used, waiting, deciding] = [await aBankAccount(shop), await addOwn(shop), await add(byOperator(shop.ctx), GTB)];
    await sql()`update bank_accounts set usable_at = now() + interval '1 hour' where id = ${waiting.id}`;
    await sql()`update bank_accounts set usable_at = now() - interval '1 hour' where id = ${deciding.id}`;
    await setPayoutRules(byOperator(shop.ctx), chosenRules({ maxADay: naira(1) }));
    await setPayoutRules(byOperator(shop.ctx), chosenRules());
    await sql()`update payout_rules set valid_from = now() + interval '1 hour' where merchant_id = ${shop.merchant.id} and valid_from > now()`;
    await happen(shop, owner.userId);
    await decideBankAccount(anOperator, deciding.id, { approves: true, reason: "The certificate has this name." });
    expect(await stateOf(shop, used)).toBe("active");
    for (const { id } of [waiting, deciding]) expect(hoursUntil((await getBankAccount(shop.ctx, id)).usableAt)).toBeCloseTo(24, 1);
    const { next } = await getPayoutRules(shop.ctx);
    expect(hoursUntil(next?.validFrom ?? new Date())).toBeCloseTo(24, 1);
  });
});

describe("the link 'This was not me'", () => {
  const notMe = (userId: string) => transaction((tx) => issueToken(tx, "not_me", userId, new Date()));

  test("removes the accounts that the person added since, withdraws open requests, and drops rules that wait", async () => {
    const shop = await aLivePayoutMerchant();
    const [thief, colleague] = [await aLeader(shop), await aLeader(shop)];
    await setPayoutRules(thief.proven, chosenRules({ maxADay: naira(100_000) }));
    const before = await aBankAccount(shop);
    await sql()`
      update bank_accounts set made_by = ${`member:${thief.userId}`}, created_at = now() - interval '1 hour' where id = ${before}`;
    const link = await notMe(thief.userId);
    const [added, others] = [await addOwn(shop, thief.proven), await addOwn(shop, colleague.proven)];
    await setPayoutRules(thief.proven, chosenRules());
    const request = await requestPayout(withProof(thief.own, "pay_out", { hasSecondFactor: true }), {
      bankAccountId: before,
      amount: naira(20_000),
    });
    await denyChange(aStranger(), link);
    expect(await Promise.all([added.id, others.id, before].map((id) => stateOf(shop, id)))).toEqual(["removed", "waiting", "active"]);
    expect((await getPayoutRequest(shop.ctx, request.id)).state).toBe("withdrawn");
    expect(await getPayoutRules(shop.ctx)).toMatchObject({ now: { maxADay: naira(100_000) }, next: undefined });
    const [note] = await sql()<{ after: object }[]>`
      select after from audit_entries where action = 'member.changes_denied' and subject = ${thief.userId} and business_id = ${shop.merchant.businessId}`;
    expect(note?.after).toMatchObject({ removed_bank_accounts: [added.id], withdrawn_payout_requests: [request.id] });
  });

  test("and a colleague's approval of the thief's request do not end in a deadlock", async () => {
    const shop = await aPayoutMerchant();
    const [thief, colleague] = [await aLeader(shop), await aLeader(shop)];
    const link = await notMe(thief.userId);
    const account = await add(thief.proven, HARBOUR);
    const request = await requestPayout(thief.own, { bankAccountId: account.id, amount: naira(20_000) });
    let both: Promise<unknown[]> | undefined;
    await transaction(async (tx) => {
      // Both wait here for the account, which each locks first.
      await tx.execute(`select 1 from bank_accounts where id = '${account.id}' for update`);
      both = outsideTransaction(() =>
        Promise.allSettled([denyChange(aStranger(), link), approvePayout(colleague.own, request.id)]).then((results) => results),
      );
      await outsideTransaction(() => until(isLockAwaited));
    });
    const [denied] = (await both) as [PromiseSettledResult<unknown>];
    expect(denied.status).toBe("fulfilled");
    expect(await stateOf(shop, account.id)).toBe("removed");
    expect(["withdrawn", "approved"]).toContain((await getPayoutRequest(shop.ctx, request.id)).state);
  });
});

test("what a thief has under way is refused once the denial has the merchant", async () => {
  const shop = await aLivePayoutMerchant();
  const thief = await aLeader(shop);
  const paying = withProof(thief.own, "pay_out", { hasSecondFactor: true });
  const bankAccountId = await aBankAccount(shop);
  const number = anAccountNumber();
  paystack.payouts.nameOwner(number, "ADAS SHOP LTD");
  const account = { bankCode: GTB, accountNumber: number, accountName: "ADAS SHOP LTD" };
  await listBanks(shop.ctx);
  let underWay: Promise<PromiseSettledResult<unknown>[]> | undefined;
  await transaction(async (tx) => {
    await tx.execute(`select 1 from merchants where id = '${shop.merchant.id}' for no key update`);
    const work = () =>
      Promise.allSettled([
        addBankAccount(thief.proven, account),
        createPayout(paying, { bankAccountId, amount: naira(20_000) }),
        requestPayout(paying, { bankAccountId, amount: naira(20_000) }),
        setPayoutRules(thief.proven, chosenRules({ maxADay: naira(1) })),
      ]);
    underWay = outsideTransaction(work);
    await outsideTransaction(() => until(async () => (await lockWaiters()) >= 4));
    await restrict(tx, thief.userId);
  });
  for (const each of (await underWay) ?? []) {
    expect(each).toMatchObject({ status: "rejected", reason: { code: "PERMISSION_DENIED" } });
  }
  expect(await listBankAccounts(shop.ctx)).toHaveLength(1);
  const rows = await sql()`select 1 from payouts where merchant_id = ${shop.merchant.id}`;
  expect(rows).toHaveLength(0);
});

test("a payout in live mode is ordered from Paystack once, and needs a second factor and a person who is not restricted", async () => {
  const shop = await aLivePayoutMerchant();
  const { own, userId } = await aLeader(shop);
  const order = { bankAccountId: await aBankAccount(shop, "0000"), amount: naira(20_000) };
  await expect(createPayout(withProof(own, "pay_out"), order)).rejects.toThrow("without one");
  const proven = withProof(own, "pay_out", { hasSecondFactor: true });
  expect(await createPayout(proven, order)).toMatchObject({ status: "failed" });
  await transaction((tx) => restrict(tx, userId));
  await expect(createPayout(proven, order)).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
});
