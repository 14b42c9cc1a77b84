import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { isLockAwaited } from "#testing/locks.ts";
import { times, until } from "#testing/until.ts";
import { requestReset, resetPassword, type signIn, signUp } from "../index.ts";
import { attempt } from "../proof/tries.ts";
import { anApplicant, anEmail, aStranger, aVerifiedUser, mailsTo, signInAs, tokenMailedTo } from "../users.fixture.ts";

withDatabase();

const OTHER = "another phrase of many words";
const reset = async (email: string, password = OTHER) => resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), password);
/** Asks for links, as strangers who come at other times do. Returns their tokens. */
async function linksTo(email: string, count: number): Promise<string[]> {
  for (let i = 0; i < count; i++) {
    await requestReset(aStranger(), email);
    await sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
  }
  return (await mailsTo(email)).flatMap(({ text }) => /reset\?token=([\w-]+)/.exec(text)?.[1] ?? []);
}

test("a sign-in with the old password that began before a reset opens no session after it", async () => {
  const email = await aVerifiedUser();
  await requestReset(aStranger(), email);
  const ctx = aStranger();
  // Stores the rows of this network, for the lock below.
  await attempt({ email: anEmail(), address: ctx.address, device: null });
  let old: ReturnType<typeof signIn> | undefined;
  await sql().begin(async (tx) => {
    // The sign-in has read the user and waits to be counted, as it would wait for its turn to be hashed.
    await tx`select 1 from sign_in_failures for update`;
    old = signInAs(email, { ctx });
    await until(isLockAwaited);
    expect(await reset(email)).toMatchObject({ status: "changed" });
  });
  expect(await old).toEqual({ status: "wrong" });
  const open = await sql()`select 1 from sessions s join users u on u.id = s.user_id where u.email = ${email} and s.ended_at is null`;
  expect(open).toEqual([]);
});

test("a sign-in with the old password that was right before a reset opens no session after it", async () => {
  const email = await aVerifiedUser();
  await requestReset(aStranger(), email);
  let old: ReturnType<typeof signIn> | undefined;
  await sql().begin(async (tx) => {
    // The old password was compared, and the sign-in waits to store its session.
    await tx`select 1 from users where email = ${email} for update`;
    old = signInAs(email);
    await until(isLockAwaited);
    await tx`update users set password_hash = password_hash || 'A' where email = ${email}`;
  });
  expect(await old).toEqual({ status: "wrong" });
});

test("strangers who ask for resets do not end the owner's link, and of several links one works, also at once", async () => {
  const email = await aVerifiedUser();
  const [owners = "", ...later] = await linksTo(email, 4);
  expect(later).toHaveLength(3);
  expect((await resetPassword(aStranger(), owners, OTHER)).status).toBe("changed");
  for (const token of later) expect(await resetPassword(aStranger(), token, `${OTHER} and more`)).toEqual({ status: "link_ended" });

  const other = await aVerifiedUser();
  const tokens = await linksTo(other, 4);
  const results = await Promise.all(tokens.map((token, i) => resetPassword(aStranger(), token, `${OTHER} number ${i}`)));
  expect(results.map(({ status }) => status).toSorted()).toEqual(["changed", "link_ended", "link_ended", "link_ended"]);
});

test("after a reset the owner signs in, and from the browser of the reset even while a stranger guesses", async () => {
  const email = await aVerifiedUser();
  const guess = async () => {
    while ((await signInAs(email, { password: "a stranger's guess" })).status !== "wait");
  };
  await guess();
  await requestReset(aStranger(), email);
  const changed = await reset(email);
  if (changed.status !== "changed") throw new Error(changed.status);
  expect((await signInAs(email, { password: OTHER })).status).toBe("signed_in");
  await guess();
  expect(await signInAs(email, { password: OTHER, device: changed.device })).toMatchObject({
    ...{ status: "signed_in", device: changed.device },
  });
});

test.each(["before", "after"])(
  "a reset %s the email is verified refuses the business's name as the password, as signing up does",
  async (when) => {
    const applicant = { ...anApplicant(), business: "Oluwaseun Adebayo Catering" };
    const password = "oluwaseun adebayo catering";
    await expect(signUp(aStranger(), { ...applicant, password })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    if (when === "after") await aVerifiedUser(applicant);
    else await signUp(aStranger(), applicant);
    await requestReset(aStranger(), applicant.email);
    await expect(reset(applicant.email, password)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect((await reset(applicant.email)).status).toBe("changed");
  },
);

test("a person who signs in 60 times keeps 50 sessions and 20 devices, the latest ones", async () => {
  const email = await aVerifiedUser();
  const all = [];
  // Tries under way count as failed, and 5 are free.
  for (let i = 0; i < 12; i++) all.push(...(await Promise.all(times(5, () => signInAs(email)))));
  expect(all.filter(({ status }) => status === "signed_in")).toHaveLength(60);
  const [kept] = await sql()`
    select (select count(*)::int from sessions where user_id = u.id and ended_at is null) as sessions,
      (select count(*)::int from known_devices where user_id = u.id) as devices from users u where email = ${email}`;
  expect(kept).toEqual({ sessions: 50, devices: 20 });
  const last = all.at(-1);
  if (last?.status !== "signed_in") throw new Error(last?.status);
  expect(await signInAs(email, { device: last.device })).toMatchObject({ device: last.device });
});

test("a token that a client made up does not become a known device", async () => {
  const email = await aVerifiedUser();
  for (const device of ["", "planted by a stranger"]) {
    const signedIn = await signInAs(email, { device });
    expect(signedIn.status === "signed_in" && signedIn.device).toMatch(/^[\w-]{43}$/);
  }
  while ((await signInAs(email, { password: "a stranger's guess" })).status !== "wait");
  expect((await signInAs(email, { device: "planted by a stranger" })).status).toBe("wait");
  expect((await signInAs(email, { device: "" })).status).toBe("wait");
});
