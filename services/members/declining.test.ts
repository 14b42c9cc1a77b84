import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { aStranger } from "../users/users.fixture.ts";
import {
  acceptInvitation,
  declineInvitation,
  findInvitationOfLink,
  inviteMember,
  leaveBusiness,
  listInvitations,
  listOwnInvitations,
  resendInvitation,
  withdrawInvitation,
} from "./index.ts";
import { anEmail, anInvitation, aPerson, passMinutes, refusalOf, roleIn, tokenOf } from "./invitations.fixture.ts";
import { aMember } from "./member.fixture.ts";

withDatabase();

type Person = Awaited<ReturnType<typeof aPerson>>;
const A_STRANGER = aStranger();
const by = ({ actor, requestId, address }: Person) => ({ ...A_STRANGER, requestId, address, userId: actor.id });
const declinesIn = (businessId: string) => sql()`
  select actor_type, subject, before from audit_entries where business_id = ${businessId} and action = 'invitation.declined'`;

test("an invited person declines by the link without an account, five times at once, and the team and the audit see it once", async () => {
  const { ctx, businessId, email, token, invitation } = await anInvitation();
  const all = await Promise.all(times(5, () => declineInvitation(A_STRANGER, { token })));
  expect(all).toEqual(Array.from({ length: 5 }, () => "declined"));
  expect(await declineInvitation(A_STRANGER, { token })).toBe("declined");
  expect(await findInvitationOfLink(token)).toMatchObject({ state: "declined" });
  expect(await listInvitations(ctx)).toMatchObject([{ id: invitation.id, email, state: "declined" }]);
  expect(await declinesIn(businessId)).toEqual([{ actor_type: "invited", subject: invitation.id, before: { email, role: "support" } }]);
});

test("a declined invitation cannot be accepted, sent again or withdrawn, and another one can be made", async () => {
  const { ctx, businessId, email, token, invitation } = await anInvitation();
  const person = await aPerson(email);
  expect(await declineInvitation(by(person), { token })).toBe("declined");
  for (const named of [{ token }, { businessId, id: invitation.id }]) {
    expect(await acceptInvitation(person, named)).toEqual({ status: "ended" });
  }
  expect(await roleIn(businessId, person.actor.id)).toBeUndefined();
  expect(await listOwnInvitations(person.actor.id)).toEqual([]);
  await passMinutes(2);
  expect(await refusalOf(resendInvitation(ctx, invitation.id))).toBe("VALIDATION_ERROR");
  expect(await refusalOf(withdrawInvitation(ctx, invitation.id))).toBe("VALIDATION_ERROR");
  await inviteMember(ctx, { email, role: "viewer" });
  expect((await listInvitations(ctx)).map(({ role, state }) => [role, state])).toEqual([
    ["viewer", "open"],
    ["support", "declined"],
  ]);
  expect(await acceptInvitation(person, { token: await tokenOf(email) })).toMatchObject({ status: "joined", role: "viewer" });
});

test("without its link an invitation is declined by the person with its verified email alone", async () => {
  const { ctx, businessId, email, invitation } = await anInvitation();
  const named = { businessId, id: invitation.id };
  const unverified = await aPerson(email, { verified: false });
  for (const from of [A_STRANGER, by(await aPerson(anEmail())), by(unverified)]) {
    expect(await declineInvitation(from, named)).toBe("other_email");
  }
  expect((await listInvitations(ctx)).map(({ state }) => state)).toEqual(["open"]);
  await sql()`update users set email_verified_at = now() where id = ${unverified.actor.id}`;
  expect(await declineInvitation(by(unverified), named)).toBe("declined");
  expect((await listInvitations(ctx)).map(({ state }) => state)).toEqual(["declined"]);
});

test("an invitation that was accepted, withdrawn, has expired or lapsed, or is unknown, is not declined", async () => {
  const accepted = await anInvitation();
  await acceptInvitation(await aPerson(accepted.email), { token: accepted.token });
  const withdrawn = await anInvitation();
  await withdrawInvitation(withdrawn.ctx, withdrawn.invitation.id);
  const lapsed = await anInvitation();
  await aMember(lapsed.businessId, "owner");
  await leaveBusiness(lapsed.ctx);
  const expired = await anInvitation();
  await sql()`update invitations set expires_at = now() - interval '1 second' where id = ${expired.invitation.id}`;
  for (const token of [accepted.token, withdrawn.token, lapsed.token, expired.token, "unknown"]) {
    expect(await declineInvitation(A_STRANGER, { token })).toBe("ended");
  }
  expect(
    await sql()`select from invitations where declined_at is not null and id = any(${[accepted, withdrawn, lapsed, expired].map((each) => each.invitation.id)})`,
  ).toEqual([]);
});

test("of an acceptance and a refusal at once one wins: the person joined and nothing is declined, or the reverse", async () => {
  for (let round = 0; round < 12; round++) {
    const { ctx, email, token, businessId } = await anInvitation();
    const person = await aPerson(email);
    const both = [() => acceptInvitation(person, { token }).then(({ status }) => status), () => declineInvitation(by(person), { token })];
    const [one, two] = await Promise.all((round % 2 ? both : both.toReversed()).map((run) => run()));
    const [accepted, declined] = round % 2 ? [one, two] : [two, one];
    const isMember = (await roleIn(businessId, person.actor.id)) !== undefined;
    const listed = (await listInvitations(ctx)).map(({ state }) => state);
    expect({ accepted, declined, isMember, listed }).toEqual(
      accepted === "joined"
        ? { accepted, declined: "ended", isMember: true, listed: [] }
        : { accepted: "ended", declined: "declined", isMember: false, listed: ["declined"] },
    );
  }
});

test("a refusal is on the team's list for 30 days", async () => {
  const { ctx, token, invitation } = await anInvitation();
  await declineInvitation(A_STRANGER, { token });
  const setDeclined = (days: number) => sql()`
    update invitations set declined_at = now() - ${days} * interval '1 day' where id = ${invitation.id}`;
  await setDeclined(29);
  expect(await listInvitations(ctx)).toHaveLength(1);
  await setDeclined(31);
  expect(await listInvitations(ctx)).toEqual([]);
});
