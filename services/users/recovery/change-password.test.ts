import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { MemberContext } from "../../context.ts";
import { aMemberContext, aPersonWithCodes, codeOf } from "../factors/two-factor.fixture.ts";
import { aVerifiedUser, mailsTo, PASSWORD, signInAs } from "../users.fixture.ts";
import { changePassword } from "./change-password.ts";

withDatabase();

const OTHER = "another phrase of many words";

let email: string;
let ctx: MemberContext;
beforeEach(async () => {
  email = await aVerifiedUser();
  ctx = await aMemberContext(email);
});

const openSessions = async (userId: string) =>
  (await sql()<{ id: string }[]>`select id from sessions where user_id = ${userId} and ended_at is null order by id`).map(({ id }) => id);

test("the new password signs in and the old one does not, every other browser is signed out, and the person is mailed", async () => {
  await signInAs(email);
  await signInAs(email);
  expect((await openSessions(ctx.actor.id)).length).toBeGreaterThan(2);
  await changePassword(ctx, { password: PASSWORD, newPassword: OTHER });
  expect(await openSessions(ctx.actor.id)).toEqual([ctx.sessionId]);
  expect((await signInAs(email)).status).toBe("wrong");
  expect((await signInAs(email, { password: OTHER })).status).toBe("signed_in");
  expect((await mailsTo(email)).filter(({ kind }) => kind === "password_changed")).toHaveLength(1);
  expect(await sql()`select from known_devices where user_id = ${ctx.actor.id}`).toHaveLength(1);
});

test("a wrong password changes nothing, and neither does a new one that is weak, the same, or made of one's name", async () => {
  const refusals = [
    [{ password: "not my password at all", newPassword: OTHER }, "password"],
    [{ password: PASSWORD, newPassword: PASSWORD }, "new_password"],
    [{ password: PASSWORD, newPassword: "password1234" }, "new_password"],
    [{ password: PASSWORD, newPassword: "short" }, "new_password"],
    [{ password: PASSWORD, newPassword: "Ada Obi's Kitchen" }, "new_password"],
  ] as const;
  for (const [change, param] of refusals) {
    await expect(changePassword(ctx, change), JSON.stringify(change)).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      errors: [{ param }],
    });
  }
  expect((await signInAs(email)).status).toBe("signed_in");
  expect((await mailsTo(email)).filter(({ kind }) => kind === "password_changed")).toEqual([]);
});

test("of five changes at once one holds, with one mail", async () => {
  const passwords = times(5, async (i) => `${OTHER} number ${i}`);
  const results = await Promise.allSettled(
    (await Promise.all(passwords)).map((newPassword) => changePassword(ctx, { password: PASSWORD, newPassword })),
  );
  const kept = results.flatMap(({ status }, i) => (status === "fulfilled" ? [i] : []));
  expect(kept).toHaveLength(1);
  expect((await signInAs(email, { password: `${OTHER} number ${kept[0]}` })).status).toBe("signed_in");
  expect((await mailsTo(email)).filter(({ kind }) => kind === "password_changed")).toHaveLength(1);
});

test("while an authenticator app is on, a code is due, and it is used up", async () => {
  const person = await aPersonWithCodes();
  await expect(changePassword(person.ctx, { password: PASSWORD, newPassword: OTHER })).rejects.toMatchObject({
    errors: [{ param: "code" }],
  });
  const code = codeOf(person.secret);
  await changePassword(person.ctx, { password: PASSWORD, code, newPassword: OTHER });
  await expect(changePassword(person.ctx, { password: OTHER, code, newPassword: PASSWORD })).rejects.toMatchObject({
    errors: [{ param: "code" }],
  });
});
