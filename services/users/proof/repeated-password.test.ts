import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import { findMembership } from "../../members/index.ts";
import { aStranger, aVerifiedUser, PASSWORD, signInAs } from "../users.fixture.ts";
import { requirePassword } from "./require-password.ts";

withDatabase();

async function memberOf(email: string, sessionId: string): Promise<MemberContext> {
  const [row] = await sql()<{ user_id: string; id: string }[]>`
    select b.user_id, m.id from users u join members b on b.user_id = u.id join merchants m on m.business_id = b.business_id
    where u.email = ${email} and m.mode = 'test'`;
  const membership = row && (await findMembership(row.user_id, row.id));
  if (!row || !membership) throw new Error("no member");
  return { ...aStranger(), actor: { type: "member", id: row.user_id }, merchant: membership.merchant, role: membership.role, sessionId };
}

test("a member who repeats the right password 20 times at once is not told of too many wrong ones", async () => {
  const ctx = await memberOf(await aVerifiedUser(), "ses_one");
  const done = await Promise.allSettled(times(20, () => requirePassword(ctx, PASSWORD)));
  expect(done.filter(({ status }) => status === "rejected")).toEqual([]);
});

test("a person with 30 sessions who repeats a password 300 times at once makes no other person wait", async () => {
  const [other, busy] = [await aVerifiedUser(), await aVerifiedUser()];
  const own = await signInAs(other);
  if (own.status !== "signed_in") throw new Error(own.status);
  const sessions = await Promise.all(times(30, (i) => memberOf(busy, `ses_${i}`)));
  let ended = 0;
  const flood = sessions
    .flatMap((ctx) => times(10, () => requirePassword(ctx, PASSWORD)))
    .map((each) =>
      each.then(
        () => ++ended && "right",
        (error) => ++ended && error.code,
      ),
    );
  expect((await signInAs(other, { device: own.device })).status).toBe("signed_in");
  expect((await signInAs(other)).status).toBe("signed_in");
  // Both were served before the flood was: 33 of it are let in, and one of them is hashed at a time.
  expect(ended).toBeLessThan(300);
  const results = await Promise.all(flood);
  expect(results.filter((result) => result === "right")).toHaveLength(33);
  expect(results.filter((result) => result === "RATE_LIMITED")).toHaveLength(267);
});

test("a repeated password that a reset changes while it is compared is wrong", async () => {
  const email = await aVerifiedUser();
  const ctx = await memberOf(email, "ses_three");
  let repeated: Promise<unknown> | undefined;
  await sql().begin(async (tx) => {
    // The password was read, and waits to be counted.
    await tx`lock table sign_in_failures in share row exclusive mode`;
    repeated = requirePassword(ctx, PASSWORD).catch((error) => error.code);
    await until(isLockAwaited);
    await sql()`update users set password_hash = password_hash || 'A' where email = ${email}`;
  });
  expect(await repeated).toBe("VALIDATION_ERROR");
});
