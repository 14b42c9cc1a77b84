import { beforeEach, describe, expect, test } from "vitest";
import { db, sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { raiseAlert } from "../alerts/index.ts";
import { decidedByTwo } from "../approved.fixture.ts";
import { type OperatorContext, systemContext } from "../context.ts";
import { noteAlertsForMails } from "../member-mails/index.ts";
import { findFormerMembership, findMembership, listMemberships } from "../members/index.ts";
import { anOperator } from "../merchants/merchant.fixture.ts";
import { isDecider } from "../platform.ts";
import { aPersonWithCodes, codeOf, nextStep, type TestPerson, wrongCodeFor } from "../users/factors/two-factor.fixture.ts";
import { aStranger, aVerifiedUser, signInAs } from "../users/users.fixture.ts";
import { addOperator, identifyOperator, listOperators, makeFirstOperator, removeOperator } from "./index.ts";
import { anOperatorNamed } from "./operators.fixture.ts";

withDatabase();
beforeEach(() => sql()`delete from members where business_id = 'biz_platform'`);

const roles = async () => (await listOperators(anOperator)).map(({ email, role }) => [email, role]);

describe("the first operator", () => {
  test("is an owner who isDecider at once, and there is one first, however many are made at once", async () => {
    const emails = await Promise.all([1, 2, 3].map(() => aVerifiedUser()));
    const made = await Promise.allSettled(emails.map((email) => makeFirstOperator(anOperator, email)));
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [first, ...others] = await listOperators(anOperator);
    expect(others).toEqual([]);
    expect(first && isDecider(first)).toBe(true);
    expect(await sql()`select from audit_entries where action = 'operator.added'`).toHaveLength(1);
  });

  test("is a person with an account", async () => {
    await expect(makeFirstOperator(anOperator, "nobody@shop.example")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    expect(await roles()).toEqual([]);
  });
});

describe("another operator", () => {
  const add = (email: string, role: "owner" | "admin" | "support" | "viewer") =>
    decidedByTwo((by) => addOperator(by, { email, role, reason: "Joined." }));

  test("isDecider nothing for 72 hours, and neither does one who gets a higher role", async () => {
    await anOperatorNamed({ role: "owner" });
    const email = await aVerifiedUser();
    expect(await add(email, "admin")).toBe(true);
    const found = async () => (await listOperators(anOperator)).find((one) => one.email === email);
    const waitsMs = async () => ((await found())?.decidesFrom.getTime() ?? 0) - Date.now();
    expect(await waitsMs()).toBeGreaterThan(71.9 * 3_600_000);
    await sql()`update members set decides_from = now() where business_id = 'biz_platform'`;
    expect(await add(email, "admin")).toBe(false);
    await add(email, "support");
    expect(await waitsMs()).toBeLessThan(1_000);
    await add(email, "admin");
    expect(await waitsMs()).toBeGreaterThan(71.9 * 3_600_000);
  });

  test("is added by two only", async () => {
    const email = await aVerifiedUser();
    const byOne = { ...anOperator, approval: { tx: null, proposalId: "prp_1", proposedBy: "usr_1" } };
    // @ts-expect-error an approval is made by services/proposals alone
    await expect(addOperator(byOne, { email, role: "owner", reason: "x" })).rejects.toThrow("two people was called by one");
    expect(await roles()).toEqual([]);
  });

  test("is removed by one, but never the last owner", async () => {
    const [owner, admin] = [await anOperatorNamed({ role: "owner" }), await anOperatorNamed()];
    const removals = times(3, () => removeOperator(owner.ctx, { email: admin.email, reason: "Left." }));
    expect((await Promise.all(removals)).filter(Boolean)).toHaveLength(1);
    await expect(removeOperator(owner.ctx, { email: owner.email, reason: "x" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(removeOperator(admin.ctx, { email: owner.email, reason: "x" })).rejects.toMatchObject({ code: "PERMISSION_DENIED" });
    const another = await anOperatorNamed();
    await anOperatorNamed({ role: "owner" });
    await expect(removeOperator(another.ctx, { email: owner.email, reason: "x" })).rejects.toThrow("The role owner is above yours");
    await sql()`update members set decides_from = now() + interval '1 h' where user_id = ${another.userId}`;
    await expect(removeOperator(another.ctx, { email: another.email, reason: "x" })).rejects.toThrow("You are new in this role");
    await sql()`delete from members where business_id = 'biz_platform' and user_id <> ${owner.userId}`;
    expect(await roles()).toEqual([[owner.email, "owner"]]);
  });

  test("keeps one owner", async () => {
    const owner = await anOperatorNamed({ role: "owner" });
    await expect(add(owner.email, "viewer")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });
});

describe("at the command line an operator", () => {
  let ada: TestPerson;
  let email: string;
  beforeEach(async () => {
    ada = await aPersonWithCodes();
    email = ada.email;
    await makeFirstOperator(anOperator, email);
    await nextStep(ada.ctx.actor.id);
  });
  const show = (code: string, as = email): Promise<OperatorContext> => identifyOperator(anOperator, { email: as, code });

  test("is the one whose code is right, and a code works once", async () => {
    const code = codeOf(ada.secret);
    const shown = await Promise.allSettled(times(4, () => show(code)));
    const known = shown.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
    expect(known).toHaveLength(1);
    expect(known[0]).toMatchObject({ actor: { type: "operator", id: ada.ctx.actor.id }, role: "owner" });
  });

  test("is refused in the same words with a wrong code, as nobody and as a person who is no operator", async () => {
    const other = await aPersonWithCodes();
    await nextStep(other.ctx.actor.id);
    const words = await Promise.all([
      ...[show(wrongCodeFor(ada.secret)), show(codeOf(ada.secret), "nobody@shop.example"), show(codeOf(other.secret), other.email)].map(
        (refused) => refused.then(String, (error) => [error.code, error.message].join()),
      ),
    ]);
    expect(new Set(words).size).toBe(1);
    expect(words[0]).toContain("PERMISSION_DENIED");
  });

  test("is kept waiting after too many wrong codes", async () => {
    const wrong = wrongCodeFor(ada.secret);
    for (let i = 0; i < 16; i++) await show(wrong).catch(() => {});
    await expect(show(codeOf(ada.secret))).rejects.toMatchObject({ code: "RATE_LIMITED" });
  });

  test("is not kept waiting by strangers who guess passwords at the sign-in page, nor by wrong codes of other names", async () => {
    for (let i = 0; i < 12; i++) await signInAs(email, { password: "not it", ctx: { ...aStranger(), address: `203.0.113.${i}` } });
    for (let i = 0; i < 40; i++) await show("123456", `nobody-${i}@shop.example`).catch(() => {});
    expect((await show(codeOf(ada.secret))).actor.id).toBe(ada.ctx.actor.id);
  });
});

test("the platform's own business is in no switcher, and no session acts for its merchants", async () => {
  const { userId, email, ctx } = await anOperatorNamed({ role: "owner" });
  expect(await listMemberships(userId)).toEqual([]);
  for (const id of ["mer_platform_test", "mer_platform_live"]) expect(await findMembership(userId, id)).toBeUndefined();
  await anOperatorNamed({ role: "owner" });
  await removeOperator(ctx, { email, reason: "Left." });
  for (const id of ["mer_platform_test", "mer_platform_live"]) expect(await findFormerMembership(userId, id)).toBeUndefined();
});

test("operators get no mails about the alerts of the platform's own merchant", async () => {
  const { userId } = await anOperatorNamed({ role: "owner" });
  await raiseAlert(db(), "mer_platform_live", {
    type: "wallet.debt",
    resourceId: "mer_platform_live",
    cause: "a test",
    message: "It owes.",
  });
  await noteAlertsForMails(systemContext("test"));
  expect(await sql()`select from mail_items where user_id = ${userId}`).toHaveLength(0);
});

test("the database keeps a time to decide from for each operator, and for no other member", async () => {
  const { userId } = await anOperatorNamed();
  await expect(sql()`update members set decides_from = null where user_id = ${userId}`).rejects.toThrow("members_operators_decide");
  await expect(
    sql()`update members set decides_from = now() where business_id <> 'biz_platform'`.then(
      () => sql()`
    insert into members (business_id, user_id, role, decides_from) select id, ${userId}, 'viewer', now() from businesses where id <> 'biz_platform' limit 1`,
    ),
  ).rejects.toThrow("members_operators_decide");
});
