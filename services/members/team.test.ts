import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { Role } from "../context.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { type ProvenContext, withProof } from "../proven.ts";
import { changeRole, findFormerMembership, handOver, leaveBusiness, listTeam, ROLES, removeMember } from "./index.ts";
import { aMember, asMember } from "./member.fixture.ts";

withDatabase();

/** The context of a member, with the role that it had when the page was opened. */
async function as({ merchant, ctx }: TestMerchant, role: Role): Promise<ProvenContext<"manage_team">> {
  return withProof(asMember(ctx, await aMember(merchant.businessId, role)), "manage_team");
}

const rolesOf = async ({ merchant }: TestMerchant) =>
  new Map(
    (await sql()<{ user_id: string; role: Role }[]>`select user_id, role from members where business_id = ${merchant.businessId}`).map(
      (row) => [row.user_id, row.role],
    ),
  );
const ownersOf = async (shop: TestMerchant) => [...(await rolesOf(shop)).values()].filter((role) => role === "owner").length;
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error) => {
      if (!(error instanceof Problem)) throw error;
      return error.code;
    },
  );
const entries = ({ merchant }: TestMerchant) => sql()<
  { action: string; actor_id: string; subject: string; before: object | null; after: object | null }[]
>`
  select action, actor_id, subject, before, after from audit_entries where business_id = ${merchant.businessId} and action like 'member.%' order by seq`;

/** A shop whose first owner has left, so that a test has all its members. */
async function aShop() {
  const shop = await aMerchant();
  await sql()`delete from members where business_id = ${shop.merchant.businessId}`;
  return shop;
}

test("two owners who leave at once leave one, in each of ten rounds", async () => {
  for (let round = 0; round < 10; round++) {
    const shop = await aShop();
    const owners = [await as(shop, "owner"), await as(shop, "owner")];
    const codes = await Promise.all(owners.map((owner) => codeOf(leaveBusiness(owner))));
    expect(codes.toSorted()).toEqual(["VALIDATION_ERROR", "done"]);
    expect(await ownersOf(shop)).toBe(1);
  }
});

test("owners who leave, demote and remove each other at once always leave an owner", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(3), fc.nat(3), fc.constantFrom("leave", "demote", "remove", "hand over")), { minLength: 2, maxLength: 8 }),
      async (acts) => {
        const shop = await aShop();
        const people = [await as(shop, "owner"), await as(shop, "owner"), await as(shop, "owner"), await as(shop, "admin")];
        await Promise.all(
          acts.map(([who, whom, act]) => {
            const [ctx, other] = [people[who] as ProvenContext<"manage_team">, (people[whom] as ProvenContext<"manage_team">).actor.id];
            const work = {
              leave: () => leaveBusiness(ctx),
              demote: () => changeRole(ctx, other, "viewer"),
              remove: () => removeMember(ctx, other),
              "hand over": () => handOver(ctx, other),
            };
            return codeOf(work[act]());
          }),
        );
        expect(await ownersOf(shop)).toBeGreaterThanOrEqual(1);
        const left = await rolesOf(shop);
        const gone = (await entries(shop)).filter(({ action }) => action === "member.left" || action === "member.removed");
        expect(left.size).toBe(people.length - gone.length);
      },
    ),
    { numRuns: 40 },
  );
});

test("a member gives no role above their own and touches no member above them; support, viewers and developers touch none", async () => {
  for (const mine of ROLES) {
    const shop = await aShop();
    await as(shop, "owner");
    const ctx = await as(shop, mine);
    for (const from of ROLES) {
      for (const to of ROLES) {
        const other = await aMember(shop.merchant.businessId, from);
        const rank = (role: Role) => ROLES.indexOf(role);
        const may = (mine === "owner" || mine === "admin") && rank(from) >= rank(mine) && rank(to) >= rank(mine);
        expect([mine, from, to, await codeOf(changeRole(ctx, other.userId, to))]).toEqual([
          mine,
          from,
          to,
          may ? "done" : "PERMISSION_DENIED",
        ]);
        expect((await rolesOf(shop)).get(other.userId)).toBe(may ? to : from);
      }
    }
  }
});

describe("a role that was taken away while a form was open", () => {
  test("a change is refused by the member's present role, not by the role when the page was read", async () => {
    const shop = await aShop();
    const [owner, admin, viewer] = [await as(shop, "owner"), await as(shop, "admin"), await as(shop, "viewer")];
    await changeRole(owner, admin.actor.id, "viewer");
    expect(await codeOf(changeRole(admin, viewer.actor.id, "support"))).toBe("PERMISSION_DENIED");
    await removeMember(owner, admin.actor.id);
    expect(await codeOf(removeMember(admin, viewer.actor.id))).toBe("RESOURCE_NOT_FOUND");
    expect(await codeOf(leaveBusiness(admin))).toBe("RESOURCE_NOT_FOUND");
    expect((await rolesOf(shop)).get(viewer.actor.id)).toBe("viewer");
  });
});

test("each change has one entry with the role before and after, and a repeated one has none", async () => {
  const shop = await aShop();
  const [owner, other] = [await as(shop, "owner"), await as(shop, "support")];
  const by = { actor_id: owner.actor.id, subject: other.actor.id };
  await Promise.all(times(5, () => changeRole(owner, other.actor.id, "admin")));
  await Promise.all(times(5, () => handOver(owner, other.actor.id)));
  expect(await rolesOf(shop)).toEqual(
    new Map<string, Role>([
      [owner.actor.id, "admin"],
      [other.actor.id, "owner"],
    ]),
  );
  await leaveBusiness(owner);
  expect(await entries(shop)).toEqual([
    { ...by, action: "member.role_changed", before: { role: "support" }, after: { role: "admin" } },
    { ...by, action: "member.made_owner", before: { role: "admin" }, after: { role: "owner", handed_over_by: owner.actor.id } },
    {
      ...{ action: "member.role_changed", actor_id: owner.actor.id, subject: owner.actor.id },
      ...{ before: { role: "owner" }, after: { role: "admin", handed_over_to: other.actor.id } },
    },
    { action: "member.left", actor_id: owner.actor.id, subject: owner.actor.id, before: { role: "admin" }, after: null },
  ]);
});

test("a repeated hand-over changes nothing, and is refused for another owner or after a role was changed in between", async () => {
  const shop = await aShop();
  const [owner, next, third] = [await as(shop, "owner"), await as(shop, "viewer"), await as(shop, "owner")];
  await handOver(owner, next.actor.id);
  const noted = await entries(shop);
  expect(await codeOf(handOver(owner, next.actor.id))).toBe("done");
  expect(await entries(shop)).toEqual(noted);
  // It was not handed over to this owner, nor by this admin.
  expect(await codeOf(handOver(owner, third.actor.id))).toBe("PERMISSION_DENIED");
  expect(await codeOf(handOver(await as(shop, "admin"), next.actor.id))).toBe("PERMISSION_DENIED");
  await changeRole(third, next.actor.id, "support");
  expect(await codeOf(handOver(owner, next.actor.id))).toBe("PERMISSION_DENIED");
  await changeRole(third, next.actor.id, "owner");
  await changeRole(third, owner.actor.id, "viewer");
  await changeRole(third, owner.actor.id, "admin");
  expect(await codeOf(handOver(owner, next.actor.id))).toBe("PERMISSION_DENIED");
});

test("a repeated leave succeeds and is in the audit once; a person who was removed, or was never a member, is not found", async () => {
  const shop = await aShop();
  const [owner, staff, removed] = [await as(shop, "owner"), await as(shop, "viewer"), await as(shop, "viewer")];
  expect(await Promise.all(times(5, () => codeOf(leaveBusiness(staff))))).toEqual(Array.from({ length: 5 }, () => "done"));
  expect(await codeOf(leaveBusiness(staff))).toBe("done");
  expect((await entries(shop)).map(({ action }) => action)).toEqual(["member.left"]);
  await removeMember(owner, removed.actor.id);
  const stranger = { ...removed, actor: { type: "member" as const, id: "usr_unknown" } };
  for (const ctx of [removed, stranger]) expect(await codeOf(leaveBusiness(ctx))).toBe("RESOURCE_NOT_FOUND");
  expect(await findFormerMembership(staff.actor.id, shop.merchant.id)).toMatchObject({ role: "viewer", merchant: shop.merchant });
  for (const { actor } of [owner, removed, stranger]) expect(await findFormerMembership(actor.id, shop.merchant.id)).toBeUndefined();
});

test("nobody hands over, changes or removes in another business, and nobody removes themselves", async () => {
  const [shop, other] = [await aShop(), await aShop()];
  const [owner, stranger] = [await as(shop, "owner"), await as(other, "viewer")];
  const works = [changeRole(owner, stranger.actor.id, "admin"), handOver(owner, stranger.actor.id), removeMember(owner, stranger.actor.id)];
  expect(await Promise.all(works.map(codeOf))).toEqual(works.map(() => "RESOURCE_NOT_FOUND"));
  expect(await codeOf(removeMember(owner, owner.actor.id))).toBe("VALIDATION_ERROR");
  const admin = await as(shop, "admin");
  expect(await codeOf(handOver(admin, stranger.actor.id))).toBe("RESOURCE_NOT_FOUND");
  expect(await codeOf(handOver(admin, (await as(shop, "viewer")).actor.id))).toBe("PERMISSION_DENIED");
  expect(await codeOf(changeRole(owner, owner.actor.id, "viewer"))).toBe("VALIDATION_ERROR");
});

test("the team has its members by role and name, when each was last seen, and whether they have a second factor", async () => {
  const shop = await aShop();
  const [viewer, owner, admin] = [await as(shop, "viewer"), await as(shop, "owner"), await as(shop, "admin")];
  await sql()`update users set name = 'Ada Obi' where id = ${owner.actor.id}`;
  await sql()`delete from sessions where user_id = ${viewer.actor.id}`;
  await sql()`insert into totp_secrets (user_id, sealed_secret, confirmed_at) values (${admin.actor.id}, 'x', now())`;
  const team = await listTeam(owner);
  expect(team.map(({ role, hasTwoFactor }) => [role, hasTwoFactor])).toEqual([
    ["owner", false],
    ["admin", true],
    ["viewer", false],
  ]);
  expect(team[0]).toMatchObject({ name: "Ada Obi", lastSeenAt: expect.any(Date) });
  expect(team[2]?.lastSeenAt).toBeNull();
});

test("of two admins who change one role, the later is told who changed it, and nothing is overwritten", async () => {
  const shop = await aShop();
  const [owner, admin, staff] = [await as(shop, "owner"), await as(shop, "admin"), await as(shop, "viewer")];
  await changeRole(owner, staff.actor.id, "support", "viewer");
  const late = await changeRole(admin, staff.actor.id, "developer", "viewer").catch((error: Problem) => error);
  expect(late).toMatchObject({ code: "VERSION_CONFLICT", message: expect.stringMatching(/^Bola Ade changed this on .+ \(role\)/) });
  expect((await rolesOf(shop)).get(staff.actor.id)).toBe("support");
  // Wanted already: nothing is changed, and nobody is told off.
  await changeRole(admin, staff.actor.id, "support", "viewer");
  const rounds = await Promise.all(
    [owner, admin].map((by, i) => codeOf(changeRole(by, staff.actor.id, i === 0 ? "viewer" : "developer", "support"))),
  );
  expect(rounds.toSorted()).toEqual(["VERSION_CONFLICT", "done"]);
});
