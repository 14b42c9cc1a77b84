import { describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { listAlerts } from "../../alerts/index.ts";
import { aBulkBuyer, aMemberOf, aRunningOrder, boughtBy, sweep, termsOf } from "../../bulk/bulk.fixture.ts";
import { getBulkOrder, resumeBulkOrder } from "../../bulk/index.ts";
import type { MemberContext } from "../../context.ts";
import { acceptInvitation, changeRole, handOver, inviteMember, leaveBusiness, removeMember } from "../../members/index.ts";
import { aPerson, tokenOf } from "../../members/invitations.fixture.ts";
import { aMember } from "../../members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { changeEndpoint, createEndpoint, deleteEndpoint, getEndpoint, rollSecret } from "../../webhooks/index.ts";
import { denyChange } from "../index.ts";
import { issueToken } from "../tokens.ts";
import { anEmail, aStranger, mailsTo } from "../users.fixture.ts";

withDatabase();
withApp();

/** An owner of a business, in live mode. */
async function anOwner(shop: TestMerchant): Promise<MemberContext> {
  const ctx = await aMemberOf(shop);
  return { ...ctx, merchant: { ...ctx.merchant, id: shop.liveMerchantId, mode: "live" } };
}
const inTest = (ctx: MemberContext, { merchant }: TestMerchant): MemberContext => ({ ...ctx, merchant });
const team = (ctx: MemberContext) => withProof(ctx, "manage_team");
/** The link of a mail about a change that happens now. What an account does from now on is denied by it. */
const changedNow = ({ actor }: MemberContext) => transaction((tx) => issueToken(tx, "not_me", actor.id, new Date()));
const deny = async (link: string) => expect(await denyChange(aStranger(), link)).toMatchObject({ status: "denied" });
const noteOf = async ({ actor, merchant }: MemberContext) => {
  const [entry] = await sql()<{ after: object }[]>`
    select after from audit_entries where business_id = ${merchant.businessId} and action = 'member.changes_denied' and subject = ${actor.id}`;
  return entry?.after;
};
const emailOf = async (userId: string) => (await sql()<{ email: string }[]>`select email from users where id = ${userId}`)[0]?.email ?? "";
const nameIs = (userId: string, name: string) => sql()`update users set name = ${name} where id = ${userId}`;

describe("the link 'This was not me' disables webhook endpoints", () => {
  const make = (ctx: MemberContext, name: string) => createEndpoint(ctx, { url: `https://${name}.example/hooks`, eventTypes: null });

  test("endpoints that the account made, changed or gave a new secret since are disabled; earlier ones and those of colleagues stay", async () => {
    const shop = await aMerchant();
    const [owner, colleague] = [await anOwner(shop), await anOwner(shop)];
    const [untouched, moved, rolled, removed] = [
      await make(owner, "a"),
      await make(owner, "b"),
      await make(owner, "c"),
      await make(owner, "d"),
    ];
    const link = await changedNow(owner);
    await changeEndpoint(owner, moved.id, { url: "https://thief.example/hooks" });
    await rollSecret(owner, rolled.id, 0);
    await deleteEndpoint(owner, removed.id);
    const [made, madeInTest] = [await make(owner, "e"), await make(inTest(owner, shop), "f")];
    const colleagues = await make(colleague, "g");
    await deny(link);
    const stateOf = async (ctx: MemberContext, { id }: { id: string }) => (await getEndpoint(ctx, id)).status;
    for (const each of [untouched, colleagues]) expect(await stateOf(owner, each)).toBe("enabled");
    for (const each of [moved, rolled, made]) expect(await stateOf(owner, each)).toBe("disabled");
    expect(await stateOf(inTest(owner, shop), madeInTest)).toBe("disabled");
    const ids = [moved, rolled, made, madeInTest].map(({ id }) => id).toSorted();
    expect(await noteOf(owner)).toMatchObject({ disabled_endpoints: ids });
    const { items } = await listAlerts(owner, { limit: 10 });
    expect(items.map(({ type, resourceId }) => [type, resourceId]).toSorted()).toEqual(
      [moved, rolled, made].map(({ id }) => ["webhook_endpoint.disabled", id]).toSorted(),
    );
    expect(items[0]?.message).toContain("says that somebody else was in the account");
    expect((await changeEndpoint(colleague, rolled.id, { status: "enabled" })).status).toBe("enabled");
  });

  test("also in a business that the account has left since", async () => {
    const shop = await aMerchant();
    const [owner, colleague] = [await anOwner(shop), await anOwner(shop)];
    const link = await changedNow(owner);
    const { id } = await make(owner, "left");
    await leaveBusiness(team(owner));
    await deny(link);
    expect((await getEndpoint(colleague, id)).status).toBe("disabled");
    expect(await noteOf(owner)).toMatchObject({ disabled_endpoints: [id] });
    expect((await mailsTo(await emailOf(colleague.actor.id))).map(({ kind }) => kind)).toEqual(["colleague_changed"]);
  });
});

test("the link 'This was not me' stops a running file of top-ups of the account, and a colleague can resume it", async () => {
  const buyer = await aBulkBuyer();
  const [link, colleague] = [await changedNow(buyer.ctx), await aMemberOf(buyer.shop)];
  const [order, colleagues] = [await aRunningOrder(buyer, ["6789", "6789"]), await aRunningOrder({ ...buyer, ctx: colleague }, ["6789"])];
  await deny(link);
  const stopped = await getBulkOrder(colleague, order.id);
  expect(stopped).toMatchObject({ status: "paused", pauseReason: "stopped" });
  expect((await getBulkOrder(colleague, colleagues.id)).status).toBe("running");
  expect(await noteOf(buyer.ctx)).toMatchObject({ stopped_bulk_orders: [order.id] });
  await sweep();
  expect(await boughtBy(buyer.shop)).toMatchObject({ purchases: 1 });
  expect((await listAlerts(colleague, { limit: 10 })).items).toMatchObject([{ type: "bulk_order.paused", resourceId: order.id }]);
  await resumeBulkOrder(colleague, order.id, termsOf(stopped));
  await sweep();
  expect(await boughtBy(buyer.shop)).toMatchObject({ purchases: 3 });
});

test("the link 'This was not me' restricts the account for 24 hours, because a second factor that stays may be a thief's", async () => {
  const owner = await anOwner(await aMerchant());
  await deny(await changedNow(owner));
  const [{ hours } = { hours: 0 }] = await sql()<{ hours: number }[]>`
    select round(extract(epoch from restricted_until - now()) / 3600)::int as hours from users where id = ${owner.actor.id}`;
  expect(hours).toBe(24);
  await expect(inviteMember(team(owner), { email: anEmail(), role: "viewer" })).rejects.toMatchObject({
    ...{ code: "PERMISSION_DENIED", message: expect.stringContaining("waits until") },
  });
});

describe("the mail to the other owners", () => {
  test("says which roles the account has given and taken since, and the roles stay", async () => {
    const shop = await aMerchant();
    const [owner, colleague] = [await anOwner(shop), await anOwner(shop)];
    const people = await Promise.all(
      (["viewer", "viewer", "admin", "support"] as const).map((role) => aMember(shop.merchant.businessId, role)),
    );
    const [before, raised, heir, gone] = people.map(({ userId }) => userId) as [string, string, string, string];
    for (const [i, name] of ["Earlier Bola", "Raised Chidi", "Heir Dayo", "Gone Efe"].entries())
      await nameIs(people[i]?.userId ?? "", name);
    await changeRole(team(owner), before, "developer");
    const email = anEmail();
    const link = await changedNow(owner);
    await changeRole(team(owner), raised, "admin");
    await removeMember(team(owner), gone);
    await inviteMember(team(owner), { email, role: "owner" });
    await acceptInvitation(await aPerson(email), { token: await tokenOf(email) });
    await handOver(team(owner), heir);
    await deny(link);
    const [mail] = await mailsTo(await emailOf(colleague.actor.id));
    expect(mail?.text).toContain("changed the team since. That stays as it is until an owner changes it");
    expect(mail?.text).toMatch(/Role changed: “Raised Chidi”, from viewer to admin/);
    expect(mail?.text).toMatch(/Removed: “Gone Efe”, who was support/);
    expect(mail?.text).toMatch(/Made an owner: “Heir Dayo”, who was admin/);
    expect(mail?.text).toMatch(/Joined by its invitation: “ada-.*”, as owner/);
    expect(mail?.text).not.toContain("Earlier Bola");
    const roles = await sql()<{ role: string }[]>`select role from members where user_id in ${sql()([raised, heir])} order by role`;
    expect(roles.map(({ role }) => role)).toEqual(["owner", "admin"]);
    const alerts = await sql()<{ message: string }[]>`
      select message from alerts where merchant_id = 'mer_platform_live' and type = 'team.contested' and resource_id = ${shop.merchant.businessId}`;
    expect(alerts).toHaveLength(1);
    expect(alerts[0]?.message).toContain(heir);
  });

  test("names no role where the account has changed none since, and then no operator is alerted", async () => {
    const shop = await aMerchant();
    const [owner, colleague] = [await anOwner(shop), await anOwner(shop)];
    await deny(await changedNow(owner));
    const [mail] = await mailsTo(await emailOf(colleague.actor.id));
    expect(mail?.text).toContain("says that somebody else was in the account");
    expect(mail?.text).not.toContain("changed the team");
    expect(await sql()`select 1 from alerts where type = 'team.contested' and resource_id = ${shop.merchant.businessId}`).toEqual([]);
  });

  test("of many acts names the first ten, and how many more there are", async () => {
    const shop = await aMerchant();
    const [owner, colleague] = [await anOwner(shop), await anOwner(shop)];
    const link = await changedNow(owner);
    for (let i = 0; i < 12; i++) await removeMember(team(owner), (await aMember(shop.merchant.businessId, "viewer")).userId);
    await deny(link);
    const [mail] = await mailsTo(await emailOf(colleague.actor.id));
    expect(mail?.text.match(/^Removed: /gm)).toHaveLength(10);
    expect(mail?.text).toContain("And more: 2 changes, which the log of the business has");
  });
});
