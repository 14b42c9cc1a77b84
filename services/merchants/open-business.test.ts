import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { listMemberships } from "../members/index.ts";
import { aMember } from "../members/member.fixture.ts";
import { openBusiness } from "./index.ts";
import { aMerchant, anOperator } from "./merchant.fixture.ts";

withDatabase();

async function aPerson({ verified = true } = {}) {
  const { userId } = await aMember((await aMerchant()).merchant.businessId, "viewer");
  if (verified) await sql()`update users set email_verified_at = now() where id = ${userId}`;
  return { ...anOperator, actor: { type: "member" as const, id: userId } };
}
const namesOf = async (userId: string) => (await listMemberships(userId)).map(({ businessName, role }) => [businessName, role]);

test("a person opens a business of their own beside the one they work in, in test mode alone", async () => {
  const person = await aPerson();
  const { businessId } = await openBusiness(person, "Second Shop");
  expect(await namesOf(person.actor.id)).toEqual([
    ["Ada's Shop", "viewer"],
    ["Second Shop", "owner"],
  ]);
  const areas = await sql()`select m.mode, count(a.area)::int from merchants m left join merchant_areas a on a.merchant_id = m.id
    where m.business_id = ${businessId} group by 1 order by 1`;
  expect(areas).toEqual([
    { mode: "test", count: 3 },
    { mode: "live", count: 0 },
  ]);
});

test("five clicks at once open one business", async () => {
  const person = await aPerson();
  const opened = await Promise.all(times(5, () => openBusiness(person, "One Shop")));
  expect(new Set(opened.map(({ businessId }) => businessId)).size).toBe(1);
  expect(await namesOf(person.actor.id)).toHaveLength(2);
  await sql()`update businesses set created_at = created_at - interval '2 minutes'`;
  await openBusiness(person, "One Shop");
  expect(await namesOf(person.actor.id)).toHaveLength(3);
});

test("the eleventh business of an owner is refused, also among fifteen at once", async () => {
  const person = await aPerson();
  const results = await Promise.allSettled(times(15, (i) => openBusiness(person, `Shop ${i}`)));
  const refused = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused).toHaveLength(5);
  for (const error of refused) expect(error).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(refused[0]).toBeInstanceOf(Problem);
});

test("a person whose email is not verified opens none", async () => {
  await expect(openBusiness(await aPerson({ verified: false }), "None")).rejects.toThrow("verified email");
});
