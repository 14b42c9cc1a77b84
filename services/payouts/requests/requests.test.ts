import { describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { naira } from "#lib/money.ts";
import { withApp } from "#testing/app.ts";
import { expectInvariantsToHold, withDatabase } from "#testing/database.ts";
import { withPaystack } from "#testing/providers/paystack/simulator.ts";
import { times } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import { changeRole, handOver, restrict } from "../../members/index.ts";
import { aMember, asMember } from "../../members/member.fixture.ts";
import { suspendMerchant } from "../../merchants/index.ts";
import { anOperator, byOperator, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { walletOf } from "../../vtu/vtu.fixture.ts";
import { approvePayout, declinePayout, getPayoutRequest, listOpenRequests, requestPayout, setPayoutRules } from "../index.ts";
import { aBankAccount, aLivePayoutMerchant, aPayoutMerchant, chosenRules, ordersAt, PAYOUT } from "../payouts.fixture.ts";

withPaystack();
withDatabase();
withApp();

const REFUSED = { code: "VALIDATION_ERROR" };
const DENIED = { code: "PERMISSION_DENIED" };
const leader = async ({ merchant, ctx }: TestMerchant, role: "owner" | "admin" = "owner"): Promise<MemberContext> =>
  asMember(ctx, await aMember(merchant.businessId, role));
const proven = (ctx: MemberContext) => withProof(ctx, "pay_out", { hasSecondFactor: true });
/** Moves the time at which people joined a day and an hour back. */
const joinedLongAgo = (...people: MemberContext[]) => sql()`
  update members set created_at = created_at - interval '25 hours' where user_id in ${sql()(people.map(({ actor }) => actor.id))}`;
const stateOf = async ({ ctx }: TestMerchant, id: string) => (await getPayoutRequest(ctx, id)).state;

/** Two leaders, of whom the first has asked for a payout above what one may pay out alone. */
async function asked() {
  const shop = await aPayoutMerchant();
  const [author, second] = [await leader(shop, "admin"), await leader(shop)];
  await setPayoutRules(byOperator(shop.ctx), chosenRules({ twoPeopleAbove: naira(10_000) }));
  const bankAccountId = await aBankAccount(shop);
  const request = await requestPayout(author, { bankAccountId, amount: PAYOUT, narration: "Rent" });
  return { shop, author, second, bankAccountId, request };
}

describe("a payout that two people decide", () => {
  test("holds no money until the second approves it, and is then paid once, although nine approve it at once", async () => {
    const { shop, author, second, request } = await asked();
    expect(await walletOf(shop.merchant.id)).toMatchObject({ held: 0n });
    expect((await listOpenRequests(shop.ctx)).map(({ id }) => id)).toEqual([request.id]);
    const results = await Promise.allSettled([...times(9, () => approvePayout(second, request.id)), approvePayout(author, request.id)]);
    const paid = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(paid).toMatchObject([{ status: "paid", requestId: request.id, amount: PAYOUT, narration: "Rent" }]);
    expect(paid[0]).toMatchObject({ madeBy: { id: author.actor.id }, approvedBy: { id: second.actor.id } });
    expect(await getPayoutRequest(shop.ctx, request.id)).toMatchObject({ state: "approved", payoutId: paid[0]?.id });
    expect(await ordersAt(shop)).toBe(1);
    await expectInvariantsToHold();
  });

  test("is not approved by its author, in another merchant, or once its author may not pay out any more", async () => {
    const { shop, author, second, request } = await asked();
    await expect(approvePayout(author, request.id)).rejects.toMatchObject(DENIED);
    const other = await aPayoutMerchant();
    await expect(approvePayout(await leader(other), request.id)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
    await changeRole(withProof(second, "manage_team"), author.actor.id, "viewer");
    await expect(approvePayout(second, request.id)).rejects.toMatchObject(REFUSED);
    await sql()`delete from members where user_id = ${author.actor.id}`;
    await expect(approvePayout(second, request.id)).rejects.toMatchObject(REFUSED);
    expect(await stateOf(shop, request.id)).toBe("open");
    expect(await ordersAt(shop)).toBe(0);
  });

  test("that one approves while another declines it is paid or declined, not both", async () => {
    const { shop, second, request } = await asked();
    const third = await leader(shop);
    await Promise.allSettled([approvePayout(second, request.id), declinePayout(third, request.id)]);
    const state = await stateOf(shop, request.id);
    expect(await ordersAt(shop)).toBe(state === "approved" ? 1 : 0);
    await expectInvariantsToHold();
  });

  test("is declined by a colleague, withdrawn by its author, and over after seven days", async () => {
    const { shop, author, second, bankAccountId, request } = await asked();
    expect((await declinePayout(second, request.id)).state).toBe("declined");
    await expect(approvePayout(second, request.id)).rejects.toMatchObject(REFUSED);
    const withdrawn = await requestPayout(author, { bankAccountId, amount: PAYOUT });
    expect((await declinePayout(author, withdrawn.id)).state).toBe("withdrawn");
    const old = await requestPayout(author, { bankAccountId, amount: PAYOUT });
    await sql()`update payout_requests set expires_at = now() where id = ${old.id}`;
    expect(await stateOf(shop, old.id)).toBe("expired");
    await expect(approvePayout(second, old.id)).rejects.toMatchObject(REFUSED);
    expect(await listOpenRequests(shop.ctx)).toEqual([]);
  });

  test("stays open if the limits of the day or a ban refuse it on approval", async () => {
    const { shop, second, request } = await asked();
    await setPayoutRules(byOperator(shop.ctx), chosenRules({ maxADay: naira(1_000) }));
    await expect(approvePayout(second, request.id)).rejects.toMatchObject({ code: "LIMIT_EXCEEDED" });
    await setPayoutRules(byOperator(shop.ctx), chosenRules());
    await suspendMerchant(anOperator, shop.merchant.id, "The bank asked for it.");
    await expect(approvePayout(second, request.id)).rejects.toMatchObject({ code: "MERCHANT_SUSPENDED" });
    expect(await stateOf(shop, request.id)).toBe("open");
  });

  test("may wait twenty times at once, and not more", async () => {
    const { author, bankAccountId } = await asked();
    const results = await Promise.allSettled(times(25, () => requestPayout(author, { bankAccountId, amount: PAYOUT })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(19);
  });

  test("is told to the merchant, who finds the request by the alert", async () => {
    const { shop, request } = await asked();
    const [alert] = await sql()`select type, resource_id from alerts where merchant_id = ${shop.merchant.id}`;
    expect(alert).toEqual({ type: "payout.waiting", resource_id: request.id });
  });
});

describe("in live mode two people", () => {
  test("have been in their roles for a day, prove it with a second factor, and are not restricted", async () => {
    const shop = await aLivePayoutMerchant();
    const [author, second] = [await leader(shop), await leader(shop)];
    const order = { bankAccountId: await aBankAccount(shop, "0000"), amount: PAYOUT };
    await expect(requestPayout(withProof(author, "pay_out"), order)).rejects.toThrow("without one");
    const request = await requestPayout(proven(author), order);
    await expect(approvePayout(withProof(second, "pay_out"), request.id)).rejects.toThrow("without one");
    await expect(approvePayout(proven(second), request.id)).rejects.toMatchObject(DENIED);
    await joinedLongAgo(second);
    // A person who invites another account of their own would be both.
    await expect(approvePayout(proven(second), request.id)).rejects.toMatchObject(DENIED);
    await joinedLongAgo(author);
    await transaction((tx) => restrict(tx, second.actor.id));
    await expect(approvePayout(proven(second), request.id)).rejects.toMatchObject(DENIED);
    await sql()`update users set restricted_until = null where id = ${second.actor.id}`;
    expect(await approvePayout(proven(second), request.id)).toMatchObject({ requestId: request.id });
  });

  test.each<[string, (author: MemberContext, userId: string) => Promise<unknown>]>([
    ["another role", (author, userId) => changeRole(withProof(author, "manage_team"), userId, "admin")],
    ["the business", (author, userId) => handOver(withProof(author, "manage_team"), userId)],
  ])("are refused where one got %s within a day", async (_what, give) => {
    const shop = await aLivePayoutMerchant();
    const [author, giver] = [await leader(shop), await leader(shop)];
    const second = asMember(shop.ctx, await aMember(shop.merchant.businessId, "viewer"));
    await joinedLongAgo(author, second);
    const request = await requestPayout(proven(author), { bankAccountId: await aBankAccount(shop), amount: PAYOUT });
    await give(giver, second.actor.id);
    await expect(approvePayout(proven({ ...second, role: "owner" }), request.id)).rejects.toMatchObject(DENIED);
    expect(await stateOf(shop, request.id)).toBe("open");
  });
});
