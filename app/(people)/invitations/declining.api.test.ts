import { beforeEach, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import type { TestMember } from "#services/members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { aMemberWithPassword, anEmail, PASSWORD, tokenMailedTo } from "#services/users/users.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";

withDatabase();
const app = withApp({}, { pages: true });

let shop: TestMerchant;
let owner: TestMember;
beforeEach(async () => {
  shop = await aMerchant();
  owner = await aMemberWithPassword(shop.merchant.businessId, "owner");
});

const open = (path: string, session = "") => fetch(`${app.url}${path}`, { headers: { cookie: session }, redirect: "manual" });
const pageOf = async (path: string, session = "") => (await open(path, session)).text();
const send = (path: string, fields: Record<string, string>, session = "") =>
  fetch(`${app.url}${path}`, {
    ...{ method: "POST", redirect: "manual", body: new URLSearchParams(fields) },
    headers: { Origin: app.url, "Sec-Fetch-Site": "same-origin", cookie: session },
  });
const sessionOf = ({ token }: TestMember) => `oja-session=${token}`;
const teamPage = () => pageOf("/test/team", sessionOf(owner));
const stateOf = async (email: string) =>
  (await sql()<{ declined: boolean }[]>`select declined_at is not null as declined from invitations where email = ${email}`)[0];

async function invited() {
  const email = anEmail();
  const answer = await pageClient(app, owner, shop.merchant.id)("POST", "/api/dashboard/invitations", {
    body: { email, role: "viewer", password: PASSWORD },
  });
  return { email, id: String(answer.body.data.id), token: await tokenMailedTo(email, "invitation") };
}

/** A person with an account and an email, who works elsewhere. */
async function aPersonWith(email: string): Promise<string> {
  const person = await aMemberWithPassword((await aMerchant()).merchant.businessId, "viewer");
  await sql()`update users set email = ${email} where id = ${person.userId}`;
  return sessionOf(person);
}

test("a person without an account declines by the mail's link, a second click does the same, and the team's page shows it", async () => {
  const { email, token } = await invited();
  const path = `/invitations?token=${token}`;
  expect(await pageOf(path)).toContain('action="/invitations/decline"');
  expect(await stateOf(email)).toEqual({ declined: false });
  for (let click = 0; click < 2; click++) {
    const answer = await send("/invitations/decline", { token });
    expect([answer.status, answer.headers.get("location")]).toEqual([303, path]);
    expect(await pageOf(path)).toContain("You declined this invitation");
  }
  const team = await teamPage();
  expect(team).toContain("Declined");
  expect(team).not.toContain(`Withdraw the invitation to ${email}`);
  expect(await pageOf("/test/settings/audit", sessionOf(owner))).toContain("The invited person");
  // The link opens no account either.
  expect((await open(`/sign-up?invitation=${token}`)).headers.get("location")).toBe(path);
});

test("a signed-in person declines by the mail's link, and cannot join afterwards", async () => {
  const { email, token } = await invited();
  const session = await aPersonWith(email);
  expect(await pageOf(`/invitations?token=${token}`, session)).toContain('action="/invitations/decline"');
  await send("/invitations/decline", { token }, session);
  const refused = await send("/invitations/accept", { token }, session);
  expect(refused.headers.get("location")).toBe(`/invitations?token=${token}`);
  expect(
    await sql()`select from members m join users u on u.id = m.user_id where m.business_id = ${shop.merchant.businessId} and u.email = ${email}`,
  ).toEqual([]);
});

test("a person declines one of the invitations to their verified email, and another person cannot decline it", async () => {
  const [one, other] = [await invited(), await invited()];
  const session = await aPersonWith(one.email);
  const fields = (id: string) => ({ business: shop.merchant.businessId, id });
  expect(await pageOf("/no-business", session)).toContain('action="/invitations/decline"');
  for (const [id, from] of [
    [other.id, session],
    [one.id, sessionOf(owner)],
    [one.id, ""],
  ] as const)
    await send("/invitations/decline", fields(id), from);
  expect([await stateOf(one.email), await stateOf(other.email)]).toEqual([{ declined: false }, { declined: false }]);
  const answer = await send("/invitations/decline", fields(one.id), session);
  expect([answer.status, answer.headers.get("location")]).toEqual([303, "/no-business"]);
  expect([await stateOf(one.email), await stateOf(other.email)]).toEqual([{ declined: true }, { declined: false }]);
});

test("the team's page says of an invitation whose sender has lost the role that it is not valid, and offers to send it again", async () => {
  const { email, token } = await invited();
  const before = await teamPage();
  expect(before).toContain("Invited");
  const next = await aMemberWithPassword(shop.merchant.businessId, "owner");
  await sql()`update members set role = 'viewer' where business_id = ${shop.merchant.businessId} and user_id = ${owner.userId}`;
  const team = await pageOf("/test/team", sessionOf(next));
  expect(team).toContain("Not valid any more");
  expect(team).toContain(`Send again<span class="sr-only"> the invitation to <!-- -->${email}`);
  expect(await pageOf(`/invitations?token=${token}`)).toContain("This invitation has ended");
});
