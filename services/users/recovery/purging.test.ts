import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { systemContext } from "../../context.ts";
import { aMember } from "../../members/member.fixture.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { purgeOldSessions } from "../../sessions/index.ts";
import { purgeOldKnownDevices, purgeUnverifiedUsers, signUp } from "../index.ts";
import { anApplicant, aStranger, aVerifiedUser, signInAs, tokenMailedTo, verifyAs } from "../users.fixture.ts";

withDatabase();
const ctx = systemContext("test");

const ageUsers = (days: number) => sql()`update users set created_at = created_at - ${days} * interval '1 day'`;

test("a user who verified nothing within 30 days is deleted with the link, and verified users and members stay", async () => {
  const verified = await aVerifiedUser();
  const member = await aMember((await aMerchant()).merchant.businessId, "viewer");
  const old = anApplicant();
  await signUp(aStranger(), old);
  const token = await tokenMailedTo(old.email, "verify_email");
  await ageUsers(31);
  const young = anApplicant();
  await signUp(aStranger(), young);
  expect(await purgeUnverifiedUsers(ctx)).toBe(1);
  expect(await sql()`select 1 from users where email in ${sql()([verified, young.email])} or id = ${member.userId}`).toHaveLength(3);
  expect(await verifyAs(token)).toEqual({ status: "link_ended" });
  // The address is free again.
  await signUp(aStranger(), old);
  expect((await verifyAs(await tokenMailedTo(old.email, "verify_email"))).status).toBe("verified");
});

test("devices are deleted that were not used for 400 days, and no others", async () => {
  const email = await aVerifiedUser();
  await sql()`update known_devices set last_used_at = now() - interval '401 days'`;
  const used = await signInAs(email);
  expect(used.status).toBe("signed_in");
  const [before] = await sql()`select count(*)::int as n from known_devices where last_used_at < now() - interval '400 days'`;
  expect(await purgeOldKnownDevices(ctx)).toBe(before?.n);
  expect(await sql()`select 1 from known_devices`).toHaveLength(1);
});

test("sessions are deleted 30 days after they ended or expired, and no others", async () => {
  const email = await aVerifiedUser();
  await sql()`delete from sessions`;
  for (let i = 0; i < 4; i++) await signInAs(email);
  const ids = (await sql()<{ id: string }[]>`select id from sessions order by created_at, id`).map(({ id }) => id);
  const [ended = "", expired = "", endedLately = "", open = ""] = ids;
  await sql()`update sessions set created_at = now() - interval '60 days'`;
  await sql()`update sessions set ended_at = now() - interval '31 days' where id = ${ended}`;
  await sql()`update sessions set expires_at = now() - interval '31 days' where id = ${expired}`;
  await sql()`update sessions set ended_at = now() - interval '29 days' where id = ${endedLately}`;
  expect(await purgeOldSessions(ctx)).toBe(2);
  expect((await sql()`select id from sessions order by id`).map(({ id }) => id)).toEqual([endedLately, open].toSorted());
});
