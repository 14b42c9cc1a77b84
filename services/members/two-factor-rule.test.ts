import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { HOUR_MS } from "#lib/time.ts";
import { withDatabase } from "#testing/database.ts";
import type { MemberContext, Role } from "../context.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { type ProvenContext, withProof } from "../proven.ts";
import { getTwoFactorRule, isLockedOut, readMembership, requireTwoFactor } from "./index.ts";
import { aMember, asMember } from "./member.fixture.ts";

withDatabase();

async function as({ merchant, ctx }: TestMerchant, role: Role): Promise<ProvenContext<"manage_team">> {
  return withProof(asMember(ctx, await aMember(merchant.businessId, role)), "manage_team");
}
const givePasskey = ({ actor }: MemberContext) => sql()`
  insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name)
  values (${`pky_${actor.id}`}, ${actor.id}, ${`credential of ${actor.id}`}, 'x', 0, '{}', 'Phone')`;
const refusalOf = async (work: Promise<unknown>) => {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof Problem) return { code: error.code, message: error.message };
  throw new Error("it was not refused");
};
const missingSinceOf = async ({ actor, merchant }: MemberContext) =>
  (await readMembership(actor.id, merchant.id))?.secondFactorMissingSince;

test("an owner with a second factor requires it of the team, and takes that back; both stand in the audit", async () => {
  const shop = await aMerchant();
  const owner = await as(shop, "owner");
  await givePasskey(owner);
  const staff = await as(shop, "viewer");
  expect(await missingSinceOf(staff)).toBeNull();
  const since = await requireTwoFactor(owner, true);
  expect(since).toBeInstanceOf(Date);
  expect(await getTwoFactorRule(owner)).toEqual(since);
  expect(await missingSinceOf(staff)).toEqual(since);
  expect(await missingSinceOf(owner)).toBeNull();
  // The same again changes nothing, not even the time from which it holds.
  expect(await requireTwoFactor(owner, true)).toEqual(since);
  await givePasskey(staff);
  expect(await missingSinceOf(staff)).toBeNull();
  expect(await requireTwoFactor(owner, false)).toBeNull();
  const entries = await sql()`
    select actor_id, before, after from audit_entries where business_id = ${shop.merchant.businessId} and action = 'two_factor_rule.changed' order by seq`;
  expect(entries).toEqual([
    { actor_id: owner.actor.id, before: { required_since: null }, after: { required_since: since?.toISOString() } },
    { actor_id: owner.actor.id, before: { required_since: since?.toISOString() }, after: { required_since: null } },
  ]);
});

test("an owner without a second factor cannot require it, because the rule would lock its maker out", async () => {
  const owner = await as(await aMerchant(), "owner");
  expect(await refusalOf(requireTwoFactor(owner, true))).toMatchObject({ code: "VALIDATION_ERROR" });
  // A secret that no code has confirmed is no second factor.
  await sql()`insert into totp_secrets (user_id, sealed_secret) values (${owner.actor.id}, 'x')`;
  expect(await refusalOf(requireTwoFactor(owner, true))).toMatchObject({ code: "VALIDATION_ERROR" });
});

test("an owner whose account is restricted cannot end the rule, but may begin it, and ends it once the 24 hours are over", async () => {
  const owner = await as(await aMerchant(), "owner");
  await givePasskey(owner);
  const restrictFor = (hours: number) => sql()`
    update users set restricted_until = now() + ${hours} * interval '1 hour' where id = ${owner.actor.id}`;
  await restrictFor(1);
  const since = await requireTwoFactor(owner, true);
  expect(await refusalOf(requireTwoFactor(owner, false))).toMatchObject({
    ...{ code: "PERMISSION_DENIED", message: expect.stringContaining("waits until") },
  });
  expect(await getTwoFactorRule(owner)).toEqual(since);
  await restrictFor(-1);
  expect(await requireTwoFactor(owner, false)).toBeNull();
});

test("nobody but an owner decides, also one who has lost the role since the page was opened", async () => {
  const shop = await aMerchant();
  for (const role of ["admin", "developer", "support", "viewer"] as const) {
    const member = await as(shop, role);
    await givePasskey(member);
    expect(await refusalOf(requireTwoFactor({ ...member, role: "owner" }, true))).toMatchObject({ code: "PERMISSION_DENIED" });
  }
  expect(await getTwoFactorRule(await as(shop, "viewer"))).toBeNull();
});

test("a session from before the rule works for another day, and a later one is locked out", () => {
  const since = new Date("2026-03-01T12:00:00Z");
  const after = (hours: number) => new Date(since.getTime() + hours * HOUR_MS);
  const [earlier, later] = [{ createdAt: after(-5) }, { createdAt: after(1) }];
  expect(isLockedOut(null, later, after(100))).toBe(false);
  expect(isLockedOut(since, earlier, after(23.9))).toBe(false);
  expect(isLockedOut(since, earlier, after(24.1))).toBe(true);
  expect(isLockedOut(since, later, after(1))).toBe(true);
});
