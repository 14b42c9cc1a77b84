import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { createBusiness } from "../merchants/index.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import type { ProvenContext } from "../proven.ts";
import {
  acceptInvitation,
  changeRole,
  findInvitationOfLink,
  getInvitation,
  inviteMember,
  leaveBusiness,
  listInvitations,
  listMemberships,
  listOwnInvitations,
  removeMember,
  resendInvitation,
  withdrawInvitation,
} from "./index.ts";
import { anEmail, anInvitation, aPerson, aTeam, passMinutes, refusalOf, roleIn, tokenOf, tokensOf } from "./invitations.fixture.ts";
import { aMember } from "./member.fixture.ts";

type Proven = ProvenContext<"manage_team">;

withDatabase();

test("an invited person who signs in as that email joins with the invited role, once, and the audit says so", async () => {
  const { businessId, email, token, invitation, ctx } = await anInvitation();
  expect(invitation).toMatchObject({ email, role: "support", state: "open", madeBy: ctx.actor });
  const { id } = invitation;
  expect(await findInvitationOfLink(token)).toEqual({ id, email, role: "support", state: "open", businessId, businessName: "Ada's Shop" });
  const person = await aPerson(email);
  expect(await acceptInvitation(person, { token })).toEqual({ status: "joined", businessId, role: "support" });
  expect(await roleIn(businessId, person.actor.id)).toBe("support");
  expect(await listInvitations(ctx)).toEqual([]);
  const entries = await sql()`
    select action, actor_id, subject, after from audit_entries where business_id = ${businessId} and action ~ '^(invitation|member)' order by seq`;
  expect(entries).toEqual([
    { action: "invitation.made", actor_id: ctx.actor.id, subject: invitation.id, after: { email, role: "support" } },
    { action: "member.joined", actor_id: person.actor.id, subject: person.actor.id, after: { role: "support", invitation: invitation.id } },
  ]);
});

test("five acceptances at once are one membership; after leaving, the link makes nobody a member again", async () => {
  const { businessId, email, token, ctx } = await anInvitation();
  const person = await aPerson(email);
  const all = await Promise.all(times(5, () => acceptInvitation(person, { token })));
  for (const accepted of all) expect(accepted).toEqual({ status: "joined", businessId, role: "support" });
  expect(await sql()`select from audit_entries where business_id = ${businessId} and action = 'member.joined'`).toHaveLength(1);
  await leaveBusiness({ ...ctx, actor: person.actor });
  expect(await acceptInvitation(person, { token })).toEqual({ status: "ended" });
  expect(await roleIn(businessId, person.actor.id)).toBeUndefined();
});

test("another person, and one who has not verified the email, cannot use the link", async () => {
  const { businessId, email, token } = await anInvitation();
  for (const person of [await aPerson(anEmail()), await aPerson(email, { verified: false })]) {
    expect(await acceptInvitation(person, { token })).toEqual({ status: "other_email" });
    expect(await roleIn(businessId, person.actor.id)).toBeUndefined();
  }
  expect(await acceptInvitation(await aPerson(anEmail()), { token: "unknown" })).toEqual({ status: "ended" });
  expect(await findInvitationOfLink("unknown")).toBeUndefined();
});

test("a link ends after 7 days, when the invitation is withdrawn, and when it is sent again", async () => {
  const { ctx, email, token, invitation, businessId } = await anInvitation();
  const person = await aPerson(email);
  await passMinutes(7 * 24 * 60 + 1);
  expect(await findInvitationOfLink(token)).toMatchObject({ state: "expired" });
  expect(await acceptInvitation(person, { token })).toEqual({ status: "ended" });
  expect(await resendInvitation(ctx, invitation.id)).toMatchObject({ state: "open" });
  expect(await acceptInvitation(person, { token })).toEqual({ status: "ended" });
  const newer = await tokenOf(email);
  await withdrawInvitation(ctx, invitation.id);
  await withdrawInvitation(ctx, invitation.id);
  expect(await acceptInvitation(person, { token: newer })).toEqual({ status: "ended" });
  expect(await roleIn(businessId, person.actor.id)).toBeUndefined();
  expect(await refusalOf(resendInvitation(ctx, invitation.id))).toBe("VALIDATION_ERROR");
});

test("of an acceptance and a withdrawal at once one wins: the person joined and the withdrawal is refused, or neither", async () => {
  const seen = new Set<string>();
  for (let round = 0; round < 12; round++) {
    const { ctx, email, token, invitation, businessId } = await anInvitation();
    const person = await aPerson(email);
    const both = [
      () => acceptInvitation(person, { token }).then(({ status }) => status),
      () => refusalOf(withdrawInvitation(ctx, invitation.id)),
    ];
    const [one, two] = await Promise.all((round % 2 ? both : both.toReversed()).map((run) => run()));
    const [accepted, withdrawn] = round % 2 ? [one, two] : [two, one];
    const isMember = (await roleIn(businessId, person.actor.id)) !== undefined;
    expect({ accepted, withdrawn, isMember }).toEqual(
      accepted === "joined"
        ? { accepted, withdrawn: "VALIDATION_ERROR", isMember: true }
        : { accepted: "ended", withdrawn: undefined, isMember: false },
    );
    seen.add(String(accepted));
  }
  expect(seen.size).toBeGreaterThan(0);
});

test("a member who accepts an invitation keeps the role that they have", async () => {
  const { ctx, businessId } = await aTeam();
  const email = anEmail();
  await inviteMember(ctx, { email, role: "owner" });
  const person = await aPerson(email);
  await sql()`insert into members (business_id, user_id, role) values (${businessId}, ${person.actor.id}, 'viewer')`;
  expect(await acceptInvitation(person, { token: await tokenOf(email) })).toEqual({ status: "joined", businessId, role: "viewer" });
  expect(await roleIn(businessId, person.actor.id)).toBe("viewer");
});

test("an invitation lapses and opens nothing once its sender has lost the role", async () => {
  for (const loseRole of [
    (other: Proven, id: string) => removeMember(other, id),
    (other: Proven, id: string) => changeRole(other, id, "admin"),
    (_other: Proven, _id: string, own: Proven) => leaveBusiness(own),
  ]) {
    const { ctx, businessId, email, token, invitation } = await anInvitation({ role: "owner" });
    const { userId } = await aMember(businessId, "owner");
    const other: Proven = { ...ctx, actor: { type: "member", id: userId } };
    await loseRole(other, ctx.actor.id, ctx);
    const person = await aPerson(email);
    expect((await listInvitations(other)).map(({ state }) => state)).toEqual(["lapsed"]);
    expect(await findInvitationOfLink(token)).toMatchObject({ state: "lapsed" });
    expect(await listOwnInvitations(person.actor.id)).toEqual([]);
    expect(await acceptInvitation(person, { token })).toEqual({ status: "ended" });
    expect(await roleIn(businessId, person.actor.id)).toBeUndefined();
    await passMinutes(2);
    expect(await resendInvitation(other, invitation.id)).toMatchObject({ state: "open" });
    expect(await acceptInvitation(person, { token: await tokenOf(email) })).toMatchObject({ status: "joined", role: "owner" });
  }
});

describe("inviting", () => {
  test("an invitation to a role above one's own, or without the permission to invite, is refused, and nothing is mailed", async () => {
    for (const [mine, role, code] of [
      ["admin", "owner", "PERMISSION_DENIED"],
      ["admin", "admin", undefined],
      ["developer", "viewer", "PERMISSION_DENIED"],
      ["support", "viewer", "PERMISSION_DENIED"],
      ["viewer", "viewer", "PERMISSION_DENIED"],
    ] as const) {
      const { ctx } = await aTeam(mine);
      const email = anEmail();
      expect([mine, await refusalOf(inviteMember(ctx, { email, role }))]).toEqual([mine, code]);
      expect(await tokensOf(email)).toHaveLength(code ? 0 : 1);
    }
  });

  test("an invitation to a member or to an invited address is refused, and five at once send one mail", async () => {
    const { ctx, businessId } = await aTeam();
    const { userId } = await aMember(businessId, "viewer");
    const [{ email: known } = { email: "" }] = await sql()<{ email: string }[]>`select email from users where id = ${userId}`;
    expect(await refusalOf(inviteMember(ctx, { email: known, role: "viewer" }))).toBe("VALIDATION_ERROR");
    const email = anEmail();
    const codes = await Promise.all(times(5, () => refusalOf(inviteMember(ctx, { email, role: "viewer" }))));
    expect(codes.filter((code) => code === undefined)).toHaveLength(1);
    expect(await tokensOf(email)).toHaveLength(1);
  });

  test("an expired invitation makes room for another one, with its own role", async () => {
    const { ctx, email, token } = await anInvitation();
    await passMinutes(7 * 24 * 60 + 1);
    expect(await inviteMember(ctx, { email, role: "viewer" })).toMatchObject({ role: "viewer", state: "open" });
    expect(await findInvitationOfLink(token)).toMatchObject({ state: "withdrawn" });
    expect((await listInvitations(ctx)).map(({ role }) => role)).toEqual(["viewer"]);
  });

  test("an invitation whose sender has left makes room for another one, and can be withdrawn", async () => {
    const { ctx, businessId, email, invitation } = await anInvitation();
    const { userId } = await aMember(businessId, "owner");
    const other: Proven = { ...ctx, actor: { type: "member", id: userId } };
    await leaveBusiness(ctx);
    expect(await inviteMember(other, { email, role: "viewer" })).toMatchObject({ role: "viewer", state: "open" });
    expect((await listInvitations(other)).map(({ role, state }) => [role, state])).toEqual([["viewer", "open"]]);
    expect(await getInvitation(other, invitation.id)).toMatchObject({ state: "withdrawn" });
  });

  test("a try that finishes an earlier one makes no second invitation", async () => {
    const { ctx } = await aTeam();
    const email = anEmail();
    const first = await inviteMember({ ...ctx, resourceId: "inv_same" }, { email, role: "viewer" });
    expect(await inviteMember({ ...ctx, resourceId: "inv_same", resumed: true }, { email, role: "viewer" })).toEqual(first);
    expect(await tokensOf(email)).toHaveLength(1);
    await withdrawInvitation(ctx, first.id);
    expect(await inviteMember({ ...ctx, resourceId: "inv_same", resumed: true }, { email, role: "viewer" })).toMatchObject({
      id: "inv_same",
      state: "withdrawn",
    });
  });

  test("an invitation is mailed five times at most", async () => {
    const { ctx, invitation, email } = await anInvitation();
    for (let sent = 1; sent < 5; sent++) {
      await passMinutes(2);
      await resendInvitation(ctx, invitation.id);
      await sql()`update mails set created_at = created_at - interval '2 days' where recipient = ${email}`;
    }
    await passMinutes(2);
    expect(await refusalOf(resendInvitation(ctx, invitation.id))).toBe("VALIDATION_ERROR");
  });

  test("51 invitations of a business within a day are refused, withdrawn ones too, and so are six mails to one address within a day by several businesses", async () => {
    const { ctx, businessId } = await aTeam();
    await sql()`
      insert into invitations (business_id, id, email, role, token_hash, expires_at, withdrawn_at, made_by)
      select ${businessId}, 'inv_' || n, 'p' || n || '@people.example', 'viewer', md5(${businessId} || n) || md5('b' || n), now() + interval '1 day', now(), 'system:test'
      from generate_series(1, 50) n`;
    expect(await refusalOf(inviteMember(ctx, { email: anEmail(), role: "viewer" }))).toBe("VALIDATION_ERROR");
    const email = anEmail();
    const codes = [];
    for (const team of [await aTeam(), await aTeam(), await aTeam(), await aTeam(), await aTeam(), await aTeam()]) {
      codes.push(await refusalOf(inviteMember(team.ctx, { email, role: "viewer" })));
    }
    expect(codes).toEqual([...Array.from({ length: 5 }, () => undefined), "RATE_LIMITED"]);
  });

  test("an invitation is sent again a minute later, and not before, and by no one below its role", async () => {
    const { ctx, email, invitation, businessId } = await anInvitation({ role: "owner" });
    expect(await refusalOf(resendInvitation(ctx, invitation.id))).toBe("RATE_LIMITED");
    await passMinutes(2);
    const { userId } = await aMember(businessId, "admin");
    const admin: Proven = { ...ctx, actor: { type: "member", id: userId }, role: "admin" };
    const byAdmin = [resendInvitation(admin, invitation.id), withdrawInvitation(admin, invitation.id)];
    expect(await Promise.all(byAdmin.map(refusalOf))).toEqual(["PERMISSION_DENIED", "PERMISSION_DENIED"]);
    expect(await refusalOf(resendInvitation(ctx, invitation.id))).toBeUndefined();
    expect(new Set(await tokensOf(email)).size).toBe(2);
    const other = await aTeam();
    const byOthers = [resendInvitation(other.ctx, invitation.id), withdrawInvitation(other.ctx, invitation.id)];
    expect(await Promise.all(byOthers.map(refusalOf))).toEqual(["RESOURCE_NOT_FOUND", "RESOURCE_NOT_FOUND"]);
  });
});

test("an accepted invitation reports the present role and ends with the membership, and a removed member can be invited again", async () => {
  const { ctx, businessId, email, token } = await anInvitation();
  const person = await aPerson(email);
  await acceptInvitation(person, { token });
  await changeRole(ctx, person.actor.id, "developer");
  expect(await acceptInvitation(person, { token })).toMatchObject({ role: "developer" });
  await removeMember(ctx, person.actor.id);
  expect(await acceptInvitation(person, { token })).toEqual({ status: "ended" });
  await inviteMember(ctx, { email, role: "admin" });
  expect(await acceptInvitation(person, { token: await tokenOf(email) })).toEqual({ status: "joined", businessId, role: "admin" });
});

test("a person who exists gets a second business, with a key of its own and without another account", async () => {
  const { ctx, businessId } = await aTeam();
  await sql()`update users set email_verified_at = now() where id = ${ctx.actor.id}`;
  const made = await createBusiness(anOperator, { name: "Second Shop", owner: { userId: ctx.actor.id } });
  expect((await listMemberships(ctx.actor.id)).map((place) => [place.businessName, place.role])).toEqual([
    ["Ada's Shop", "owner"],
    ["Second Shop", "owner"],
  ]);
  expect(made.testKey.publicKey).toMatch(/^pk_test_/);
  expect(made.businessId).not.toBe(businessId);
  const stranger = await aPerson(anEmail(), { verified: false });
  await expect(createBusiness(anOperator, { name: "None", owner: { userId: stranger.actor.id } })).rejects.toThrow("no user");
});

test("a person sees the open invitations of the verified email, and joins by one without its link", async () => {
  const { businessId, email, invitation } = await anInvitation();
  const { id } = invitation;
  const unverified = await aPerson(email, { verified: false });
  expect(await listOwnInvitations(unverified.actor.id)).toEqual([]);
  expect(await acceptInvitation(unverified, { businessId, id })).toEqual({ status: "other_email" });
  await sql()`update users set email_verified_at = now() where id = ${unverified.actor.id}`;
  const person = unverified;
  expect(await listOwnInvitations(person.actor.id)).toMatchObject([{ id, businessId, businessName: "Ada's Shop", role: "support" }]);
  const stranger = await aPerson(anEmail());
  expect(await listOwnInvitations(stranger.actor.id)).toEqual([]);
  expect(await acceptInvitation(stranger, { businessId, id })).toEqual({ status: "other_email" });
  const other = await aTeam();
  expect(await acceptInvitation(person, { businessId: other.businessId, id })).toEqual({ status: "ended" });
  const all = await Promise.all(times(5, () => acceptInvitation(person, { businessId, id })));
  for (const accepted of all) expect(accepted).toEqual({ status: "joined", businessId, role: "support" });
  expect(await listOwnInvitations(person.actor.id)).toEqual([]);
});

test("an invitation that expired or was withdrawn is not listed for its person", async () => {
  const first = await anInvitation();
  const person = await aPerson(first.email);
  await passMinutes(8 * 24 * 60);
  expect(await listOwnInvitations(person.actor.id)).toEqual([]);
  const second = await aTeam();
  const invitation = await inviteMember(second.ctx, { email: first.email, role: "viewer" });
  expect(await listOwnInvitations(person.actor.id)).toMatchObject([{ id: invitation.id }]);
  await withdrawInvitation(second.ctx, invitation.id);
  expect(await listOwnInvitations(person.actor.id)).toEqual([]);
});

test("no table has a token in the clear", async () => {
  const { token } = await anInvitation();
  const [{ all = "" } = {}] = await sql()<{ all: string }[]>`
    select concat((select string_agg(i::text, ' ') from invitations i), (select string_agg(m::text, ' ') from mails m), (select string_agg(e::text, ' ') from audit_entries e)) as all`;
  expect(token).toMatch(/^[\w-]{43}$/);
  expect(all).not.toContain(token);
});
