import { describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { open } from "#lib/sealed.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import { authenticate, createApiKey, getApiKey, resumePausedApiKey, stateOf } from "../../api-keys/index.ts";
import { type MemberContext, systemContext } from "../../context.ts";
import { inviteMember, leaveBusiness, listInvitations, resendInvitation } from "../../members/index.ts";
import { aMember } from "../../members/member.fixture.ts";
import { aMerchant } from "../../merchants/merchant.fixture.ts";
import { withProof } from "../../proven.ts";
import { Authenticator } from "../factors/authenticator.fixture.ts";
import { addPasskey, aPersonWithPasskey, signInBy } from "../factors/passkeys.fixture.ts";
import { aMemberContext, aPersonWithCodes, aTicket, codeOf, firstFactorProof, nextStep, typeCode } from "../factors/two-factor.fixture.ts";
import {
  askRemoval,
  beginPasskeyRegistration,
  beginTotp,
  changePassword,
  confirmTotp,
  denyChange,
  finishPasskeyRegistration,
  getTwoFactor,
  mailDueRemovals,
  mailFirstFactorCode,
  removeFactors,
  removePasskey,
  requestReset,
  resetPassword,
  resetTwoFactor,
} from "../index.ts";
import { requirePassword } from "../proof/require-password.ts";
import { aStranger, aVerifiedUser, codeMailedTo, mailsTo, PASSWORD, signInAs, tokenMailedTo } from "../users.fixture.ts";

withDatabase();

const OTHER = "another phrase of many words";
const operator = { actor: { type: "cli", id: "operator" }, requestId: null, address: null } as const;

/** Resets a password by mail. Returns the token of the page that offers to remove the second factors. */
async function resetByMail(email: string, password = OTHER): Promise<string | null> {
  await sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
  await requestReset(aStranger(), email);
  const result = await resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), password);
  if (result.status !== "changed") throw new Error(result.status);
  return result.removalToken;
}
const passDay = () => sql()`update factor_removals set created_at = created_at - interval '24 hours'`;
const sweep = () => mailDueRemovals(systemContext("test"));
const endOf = async ({ actor }: MemberContext) =>
  (await sql()<{ end: string | null }[]>`select "end" from factor_removals where user_id = ${actor.id} order by id`).map(({ end }) => end);
const openSessions = async ({ actor }: MemberContext) =>
  (await sql()`select 1 from sessions where user_id = ${actor.id} and ended_at is null`).length;
const live = (ctx: MemberContext): MemberContext => ({ ...ctx, merchant: { ...ctx.merchant, mode: "live" } });
/** The links "This was not me" of an address, oldest first. */
const notMeTokens = async (email: string) => (await mailsTo(email)).flatMap(({ text }) => /not-me\?token=([\w-]+)/.exec(text)?.[1] ?? []);
const ageFactors = ({ actor }: MemberContext, days: number) => sql()`
  with k as (update passkeys set created_at = created_at - ${days} * interval '1 day' where user_id = ${actor.id})
  , u as (update users set factors_since = factors_since - ${days} * interval '1 day' where id = ${actor.id})
  update totp_secrets set confirmed_at = confirmed_at - ${days} * interval '1 day' where user_id = ${actor.id}`;
/** An account that is older than a day: only browsers that were known for a day before a factor count for it. */
const ageAccount = ({ actor }: MemberContext) => sql()`
  update users set created_at = created_at - interval '60 days' where id = ${actor.id}`;

const secretOf = async ({ actor }: MemberContext): Promise<string> => {
  const [row] = await sql()<{ sealed_secret: string }[]>`select sealed_secret from totp_secrets where user_id = ${actor.id}`;
  return open("totp-secret", row?.sealed_secret ?? "", actor.id);
};

describe("the code by mail for a first factor", () => {
  test("works once, in the session that asked for it, for 15 minutes, with the password, and never for a further factor", async () => {
    const email = await aVerifiedUser();
    const [ctx, other] = [await aMemberContext(email), await aMemberContext(email)];
    const proof = await firstFactorProof(ctx);
    await expect(beginPasskeyRegistration(other, proof)).rejects.toMatchObject({ errors: [{ param: "code" }] });
    await sql()`update mailed_codes set expires_at = now() - interval '1 second'`;
    await expect(beginPasskeyRegistration(ctx, proof)).rejects.toMatchObject({ errors: [{ param: "code" }] });
    const { password, code } = await firstFactorProof(ctx);
    const begin = () => beginPasskeyRegistration(ctx, { password, code: ` ${code.slice(0, 4)}-${code.slice(4)} ` });
    const results = await Promise.allSettled(times(5, begin));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await addPasskey(ctx, new Authenticator());
    await expect(mailFirstFactorCode(ctx, { password: PASSWORD })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  });

  test("needs the password, is mailed once a minute and six times a day, and the code of another person is wrong", async () => {
    const [email, others] = [await aVerifiedUser(), await aVerifiedUser()];
    const [ctx, other] = [await aMemberContext(email), await aMemberContext(others)];
    await expect(mailFirstFactorCode(ctx, { password: OTHER })).rejects.toMatchObject({ errors: [{ param: "password" }] });
    const results = await Promise.allSettled(times(5, () => mailFirstFactorCode(ctx, { password: PASSWORD })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await mailFirstFactorCode(other, { password: PASSWORD });
    const foreign = beginPasskeyRegistration(ctx, { password: PASSWORD, code: await codeMailedTo(others) });
    await expect(foreign).rejects.toMatchObject({ errors: [{ param: "code" }] });
    for (let sent = 1; sent < 6; sent++) await firstFactorProof(ctx);
    await expect(firstFactorProof(ctx)).rejects.toMatchObject({ code: "RATE_LIMITED" });
    expect(JSON.stringify(await sql()`select * from mailed_codes`)).not.toContain(await codeMailedTo(email));
  });

  test("ends after five wrong tries, also where the failures of the session are cleared between them", async () => {
    const email = await aVerifiedUser();
    const ctx = await aMemberContext(email);
    const proof = await firstFactorProof(ctx);
    for (let i = 0; i < 5; i++) {
      const wrong = beginPasskeyRegistration(ctx, { password: PASSWORD, code: String(10_000_000 + i) });
      await expect(wrong).rejects.toMatchObject({ errors: [{ param: "code" }] });
      await requirePassword(ctx, PASSWORD);
    }
    await expect(beginPasskeyRegistration(ctx, proof)).rejects.toMatchObject({ errors: [{ param: "code" }] });
    await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
  });

  test("a set-up begun with the mailed code ends with its session, with a changed password, and 15 minutes after it began", async () => {
    const begun = async () => {
      const ctx = await aMemberContext(await aVerifiedUser());
      const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
      const options = await beginPasskeyRegistration(ctx, await firstFactorProof(ctx));
      const response = new Authenticator().register(options);
      return {
        ctx,
        confirm: () => confirmTotp(ctx, codeOf(secret)),
        add: () => finishPasskeyRegistration(ctx, { name: "Phone", response }),
      };
    };
    const ended = await begun();
    await sql()`update sessions set ended_at = now() where user_id = ${ended.ctx.actor.id}`;
    await expect(ended.confirm()).rejects.toMatchObject({ code: "MISSING_CREDENTIALS" });
    await expect(ended.add()).rejects.toMatchObject({ code: "MISSING_CREDENTIALS" });
    const changed = await begun();
    await changePassword(changed.ctx, { password: PASSWORD, newPassword: OTHER });
    await expect(changed.confirm()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await expect(changed.add()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const late = await begun();
    await sql()`update totp_secrets set created_at = created_at - interval '16 minutes' where user_id = ${late.ctx.actor.id}`;
    await expect(late.confirm()).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    const elsewhere = await begun();
    const [user] = await sql()<{ email: string }[]>`select email from users where id = ${elsewhere.ctx.actor.id}`;
    const other = await aMemberContext(user?.email ?? "");
    const [row] = await sql()<{ sealed_secret: string }[]>`select sealed_secret from totp_secrets where user_id = ${other.actor.id}`;
    const code = codeOf(open("totp-secret", row?.sealed_secret ?? "", other.actor.id));
    await expect(confirmTotp(other, code)).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
    await elsewhere.confirm();
  });
});

describe("the link 'This was not me'", () => {
  test("denying an added passkey removes it with its recovery codes, ends sessions, and blocks the password until a new one is chosen", async () => {
    const { email, ctx, authenticator, recoveryCodes } = await aPersonWithPasskey();
    const ticket = await aTicket(email);
    const [token = ""] = await notMeTokens(email);
    const denied = await denyChange(aStranger(), token);
    if (denied.status !== "denied") throw new Error(denied.status);
    expect(denied.removedFactors).toBe(1);
    expect(await openSessions(ctx)).toBe(0);
    expect(await signInBy(authenticator)).toEqual({ status: "wrong" });
    expect(await typeCode(ticket, recoveryCodes[0] ?? "")).toEqual({ status: "expired" });
    expect(await signInAs(email)).toEqual({ status: "wrong" });
    expect(await getTwoFactor(ctx)).toEqual({ isTotpOn: false, recoveryCodesLeft: 0, passkeys: [] });
    expect((await resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), OTHER)).status).toBe("changed");
    expect(await signInAs(email, { password: OTHER })).toMatchObject({ status: "signed_in" });
    expect(await denyChange(aStranger(), token)).toEqual({ status: "link_ended" });
  });

  test("the link works once for five clicks at once, ends all other such links of the account, and works for 30 days", async () => {
    const { email, ctx } = await aPersonWithCodes();
    await changePassword(ctx, { password: PASSWORD, code: codeOf(await secretOf(ctx)), newPassword: OTHER });
    const [token = "", another = ""] = await notMeTokens(email);
    const results = await Promise.all(times(5, () => denyChange(aStranger(), token)));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["denied", "link_ended", "link_ended", "link_ended", "link_ended"]);
    expect(await denyChange(aStranger(), another)).toEqual({ status: "link_ended" });
    const other = await aPersonWithCodes();
    const [late = ""] = await notMeTokens(other.email);
    await sql()`update user_tokens set expires_at = expires_at - interval '30 days'`;
    expect(await denyChange(aStranger(), late)).toEqual({ status: "link_ended" });
  });

  test("denying keeps a factor that an older one proved, removes it if the first one is denied, and keeps all after use in a known browser", async () => {
    const first = await aPersonWithCodes();
    const { passkey } = await addPasskey(first.ctx, new Authenticator(), {}, first.recoveryCodes[0]);
    const [, ofSecond = ""] = await notMeTokens(first.email);
    expect(await denyChange(aStranger(), ofSecond)).toMatchObject({ status: "denied", removedFactors: 0 });
    expect((await getTwoFactor(first.ctx)).passkeys).toEqual([passkey]);

    // A thief proves a second passkey by the first, and removes the first: neither survives the link about the first.
    const thief = await aPersonWithPasskey();
    const second = new Authenticator();
    await addPasskey(thief.ctx, second, {}, thief.recoveryCodes[0]);
    await removePasskey(thief.ctx, thief.passkey.id, { password: PASSWORD, code: thief.recoveryCodes[1] });
    const [ofFirst = ""] = await notMeTokens(thief.email);
    expect(await denyChange(aStranger(), ofFirst)).toMatchObject({ removedFactors: 1 });
    expect(await signInBy(second)).toEqual({ status: "wrong" });

    for (const knownHours of [23, 25]) {
      const email = await aVerifiedUser();
      const browser = await signInAs(email);
      if (browser.status !== "signed_in") throw new Error(browser.status);
      const ctx = await aMemberContext(email);
      await ageAccount(ctx);
      await sql()`update known_devices set created_at = created_at - ${knownHours} * interval '1 hour' where user_id = ${ctx.actor.id}`;
      const authenticator = new Authenticator();
      await addPasskey(ctx, authenticator);
      expect(await signInBy(authenticator, { device: browser.device })).toMatchObject({ status: "signed_in" });
      const [added = ""] = await notMeTokens(email);
      expect(await denyChange(aStranger(), added)).toMatchObject({ removedFactors: knownHours === 25 ? 0 : 1 });
    }
  });

  test("denying an app keeps it if it has signed in from a known browser, and removes it otherwise", async () => {
    for (const isKnown of [true, false]) {
      const email = await aVerifiedUser();
      const browser = await signInAs(email);
      if (browser.status !== "signed_in") throw new Error(browser.status);
      const ctx = await aMemberContext(email);
      const { secret } = await beginTotp(ctx, await firstFactorProof(ctx));
      await confirmTotp(ctx, codeOf(secret));
      await nextStep(ctx.actor.id);
      const device = isKnown ? browser.device : null;
      await typeCode(await aTicket(email, { device }), codeOf(secret), { device });
      const [added = ""] = await notMeTokens(email);
      expect(await denyChange(aStranger(), added)).toMatchObject({ removedFactors: isKnown ? 0 : 1 });
    }
  });

  test("denying a changed password removes no factor that is older than the change", async () => {
    const { ctx, email } = await aPersonWithPasskey();
    await changePassword(ctx, { password: PASSWORD, newPassword: OTHER });
    const token = (await notMeTokens(email)).at(-1) ?? "";
    expect(await denyChange(aStranger(), token)).toMatchObject({ status: "denied", removedFactors: 0 });
  });

  test("denying a change pauses only keys and invitations made since, in both modes, and a colleague can resume a key", async () => {
    const email = await aVerifiedUser();
    const ctx = await aMemberContext(email);
    const [row] = await sql()<{ id: string }[]>`select id from merchants where business_id = ${ctx.merchant.businessId} and mode = 'live'`;
    const inLive = live({ ...ctx, merchant: { ...ctx.merchant, id: row?.id ?? "" } });
    const key = (by: MemberContext) => createApiKey(withProof(by, "manage_keys"), { name: "Server" });
    const invite = (name: string) => inviteMember(withProof(ctx, "manage_team"), { email: `${name}@people.example`, role: "admin" });
    const earlier = [await key(ctx), await key(inLive)];
    await invite(`early-${ctx.actor.id.toLowerCase()}`);
    await changePassword(ctx, { password: PASSWORD, newPassword: OTHER });
    const later = [await key(ctx), await key(inLive)];
    const { id: invited } = await invite(`late-${ctx.actor.id.toLowerCase()}`);
    expect(await denyChange(aStranger(), (await notMeTokens(email))[0] ?? "")).toMatchObject({ status: "denied" });
    const statesOf = (keys: typeof later) =>
      Promise.all(keys.map(async ({ id }, i) => stateOf(await getApiKey(i === 0 ? ctx : inLive, id))));
    expect(await statesOf(earlier)).toEqual(["active", "active"]);
    expect(await statesOf(later)).toEqual(["paused", "paused"]);
    expect((await listInvitations(ctx)).map(({ state }) => state).toSorted()).toEqual(["expired", "open"]);
    const [stopped] = later;
    const credentials = { publicKey: stopped?.publicKey ?? "", secretKey: stopped?.secretKey ?? "", address: "203.0.113.1" };
    await expect(authenticate(credentials)).rejects.toMatchObject({ code: "KEY_REVOKED", message: expect.stringContaining("paused") });
    const [entry] = await sql()<{ after: object }[]>`
      select after from audit_entries where business_id = ${ctx.merchant.businessId} and action = 'member.changes_denied'`;
    const ids = later.map(({ id }) => id).toSorted();
    expect(entry?.after).toMatchObject({ paused_keys: ids, paused_invitations: [invited] });

    const { userId, sessionId } = await aMember(ctx.merchant.businessId, "owner");
    const colleague: MemberContext = { ...inLive, actor: { type: "member", id: userId }, sessionId };
    await expect(resumePausedApiKey(colleague, later[1]?.id ?? "")).rejects.toThrow(/without one/);
    expect(stateOf(await resumePausedApiKey(withProof(colleague, "manage_keys"), later[1]?.id ?? ""))).toBe("active");
    await expect(createApiKey(withProof(colleague, "reveal_card") as MemberContext, { name: "Wrong proof" })).rejects.toThrow(
      /without one/,
    );
  });

  test("ends an open request to remove the factors, with its link", async () => {
    const { email, ctx } = await aPersonWithCodes();
    await askRemoval(aStranger(), (await resetByMail(email)) ?? "");
    await passDay();
    expect(await sweep()).toBe(1);
    const link = await tokenMailedTo(email, "remove_factors");
    await denyChange(aStranger(), (await notMeTokens(email)).at(-1) ?? "");
    expect(await endOf(ctx)).toEqual(["denied"]);
    expect(await removeFactors(aStranger(), link)).toEqual({ status: "link_ended" });
  });
});

describe("the removal of factors by mail", () => {
  test("is offered after a reset only while every factor is younger than 30 days", async () => {
    const [young, mixed, none] = [await aPersonWithPasskey(), await aPersonWithCodes(), await aVerifiedUser()];
    await ageFactors(mixed.ctx, 31);
    await addPasskey(mixed.ctx, new Authenticator(), {}, mixed.recoveryCodes[0]);
    expect(await resetByMail(young.email)).toEqual(expect.any(String));
    expect(await resetByMail(mixed.email)).toBeNull();
    expect(await resetByMail(none)).toBeNull();
  });

  test("needs the request and, a day later, the click on a link; nothing happens by itself, and then the password signs in", async () => {
    const { email, ctx, authenticator } = await aPersonWithPasskey();
    const token = (await resetByMail(email)) ?? "";
    expect(await askRemoval(aStranger(), token)).toEqual({ status: "asked" });
    expect(await askRemoval(aStranger(), token)).toEqual({ status: "link_ended" });
    expect((await mailsTo(email)).at(-1)?.text).toContain("asked to remove every second step");
    expect(await sweep()).toBe(0);
    await passDay();
    const [one, other] = await Promise.all([sweep(), sweep()]);
    expect(one + other).toBe(1);
    await sql()`update factor_removals set created_at = created_at - interval '5 days'`;
    expect(await sweep()).toBe(0);
    expect((await getTwoFactor(ctx)).passkeys).toHaveLength(1);
    const results = await Promise.all(times(5, async () => removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))));
    expect(results.map(({ status }) => status).toSorted()).toEqual(["link_ended", "link_ended", "link_ended", "link_ended", "removed"]);
    expect(await endOf(ctx)).toEqual(["removed"]);
    expect(await signInBy(authenticator)).toEqual({ status: "wrong" });
    expect(await signInAs(email, { password: OTHER })).toMatchObject({ status: "signed_in" });
    const [entry] = await sql()`
      select actor_type, actor_id from audit_entries where business_id = ${ctx.merchant.businessId} and action = 'member.two_factor_removed'`;
    expect(entry).toEqual({ actor_type: "member", actor_id: ctx.actor.id });
  });

  test("a sign-in with a factor or a recovery code ends a removal, before and after its link is mailed, also an operator's", async () => {
    for (const isMailed of [false, true]) {
      for (const byOperator of [false, true]) {
        const { email, ctx, authenticator, recoveryCodes } = await aPersonWithPasskey();
        if (byOperator) await resetTwoFactor(operator, { email, reason: "Her phone is lost." });
        else await askRemoval(aStranger(), (await resetByMail(email, PASSWORD)) ?? "");
        if (isMailed) {
          await passDay();
          expect(await sweep()).toBe(1);
        }
        const entered = isMailed ? await signInBy(authenticator) : await typeCode(await aTicket(email), recoveryCodes[0] ?? "");
        expect(entered).toMatchObject({ status: "signed_in" });
        expect(await endOf(ctx)).toEqual(["signed_in"]);
        expect((await mailsTo(email)).some(({ text }) => text.includes("That ended the request to remove it"))).toBe(true);
        if (isMailed)
          expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))).toEqual({ status: "link_ended" });
        await passDay();
        expect(await sweep()).toBe(0);
      }
    }
  });

  test("a new reset ends an open removal, and its own request waits a whole day again", async () => {
    const { email, ctx } = await aPersonWithPasskey();
    await askRemoval(aStranger(), (await resetByMail(email)) ?? "");
    await passDay();
    expect(await sweep()).toBe(1);
    const first = await tokenMailedTo(email, "remove_factors");
    const again = (await resetByMail(email, "a third phrase of many words")) ?? "";
    expect(await removeFactors(aStranger(), first)).toEqual({ status: "link_ended" });
    await askRemoval(aStranger(), again);
    expect(await endOf(ctx)).toEqual(["replaced", null]);
    expect(await sweep()).toBe(0);
  });

  test.each([false, true])(
    "a removal that an operator requested stays open after a reset by mail and a new request, with its link mailed: %s",
    async (isMailed) => {
      const { email, ctx } = await aPersonWithPasskey();
      await resetTwoFactor(operator, { email, reason: "Her phone is lost." });
      if (isMailed) {
        await passDay();
        await sweep();
      }
      const offered = (await resetByMail(email)) ?? "";
      expect(await endOf(ctx)).toEqual([null]);
      expect(await askRemoval(aStranger(), offered)).toEqual({ status: "asked" });
      expect(await endOf(ctx)).toEqual([null]);
      if (!isMailed) {
        await passDay();
        await sweep();
      }
      expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))).toEqual({ status: "removed" });
      expect(await signInAs(email, { password: OTHER })).toMatchObject({ status: "signed_in" });
    },
  );

  test("a removal of old factors that an operator requested stays open after a reset, and ends with a sign-in by a factor", async () => {
    const { email, ctx, authenticator } = await aPersonWithPasskey();
    await ageFactors(ctx, 60);
    await resetTwoFactor(operator, { email, reason: "Her phone is lost." });
    expect(await resetByMail(email)).toBeNull();
    expect(await endOf(ctx)).toEqual([null]);
    expect(await signInBy(authenticator)).toMatchObject({ status: "signed_in" });
    expect(await endOf(ctx)).toEqual(["signed_in"]);
    expect((await mailsTo(email)).some(({ text }) => text.includes("That ended the request to remove it"))).toBe(true);
  });

  test("meets no deadlock with sign-ins that end it while its link is mailed", async () => {
    for (let round = 0; round < 10; round++) {
      const { email, authenticator } = await aPersonWithPasskey();
      await resetTwoFactor(operator, { email, reason: "Her phone is lost." });
      await passDay();
      const [entered] = await Promise.all([signInBy(authenticator), sweep(), sweep()]);
      expect(entered).toMatchObject({ status: "signed_in" });
      expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors").catch(() => "x".repeat(43)))).toEqual({
        status: "link_ended",
      });
    }
  });

  test("a factor that is used as proof in a session ends a removal, so that factors added since stay", async () => {
    const { email, ctx, recoveryCodes } = await aPersonWithPasskey();
    await resetTwoFactor(operator, { email, reason: "Her phone is lost." });
    await passDay();
    expect(await sweep()).toBe(1);
    await addPasskey(ctx, new Authenticator(), {}, recoveryCodes[0]);
    expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))).toEqual({ status: "link_ended" });
    expect(await endOf(ctx)).toEqual(["signed_in"]);
  });

  test("five operators who ask at once leave one open request", async () => {
    const { email, ctx } = await aPersonWithCodes();
    await Promise.all(times(5, () => resetTwoFactor(operator, { email, reason: "Her phone is lost." })));
    expect((await endOf(ctx)).filter((end) => end === null)).toHaveLength(1);
  });
});

describe("for 24 hours after a reset by mail, a first factor or a removal", () => {
  const CHANGES: [string, (email: string) => Promise<unknown>][] = [
    ["a reset by mail", (email) => resetByMail(email, PASSWORD)],
    ["a first factor", async (email) => addPasskey(await aMemberContext(email), new Authenticator())],
  ];
  test.each(CHANGES)(
    "%s: the account makes no live key, invites nobody and gives no role; test keys and leaving stay open",
    async (_name, change) => {
      const email = await aVerifiedUser();
      const before = await aMemberContext(email);
      const team = () => withProof(before, "manage_team");
      const { id } = await inviteMember(team(), { email: `a-${before.actor.id.toLowerCase()}@people.example`, role: "viewer" });
      await change(email);
      const refused = { code: "PERMISSION_DENIED", message: expect.stringMatching(/waits until .* \(West Africa Time\)/) };
      await expect(createApiKey(withProof(live(before), "manage_keys"), { name: "Live" })).rejects.toMatchObject(refused);
      await expect(inviteMember(team(), { email: "b@people.example", role: "viewer" })).rejects.toMatchObject(refused);
      await expect(resendInvitation(team(), id)).rejects.toMatchObject(refused);
      await createApiKey(before, { name: "Test" });
      await sql()`update users set restricted_until = now() - interval '1 second' where email = ${email}`;
      await inviteMember(team(), { email: `c-${before.actor.id.toLowerCase()}@people.example`, role: "viewer" });
      await createApiKey(withProof(live(before), "manage_keys"), { name: "Live" });
      await aMember(before.merchant.businessId, "owner");
      await leaveBusiness(team());
    },
  );

  test("the other owners of its businesses are told, once each, and no other member is", async () => {
    const { merchant } = await aMerchant();
    const email = await aVerifiedUser();
    const ctx = await aMemberContext(email);
    await sql()`insert into members (business_id, user_id, role) values (${merchant.businessId}, ${ctx.actor.id}, 'support')`;
    const [owner, admin] = [await aMember(merchant.businessId, "owner"), await aMember(merchant.businessId, "admin")];
    await resetByMail(email);
    const told = await sql()<{ recipient: string }[]>`select recipient from mails where kind = 'colleague_changed'`;
    const addressOf = async (userId: string) => (await sql()<{ email: string }[]>`select email from users where id = ${userId}`)[0]?.email;
    const recipients = told.map(({ recipient }) => recipient);
    expect(recipients.filter((each) => each === recipients[0]).length).toBe(1);
    expect(recipients).toContain(await addressOf(owner.userId));
    expect(recipients).not.toContain(await addressOf(admin.userId));
    expect(recipients).not.toContain(email);
    const [mail] = await mailsTo((await addressOf(owner.userId)) ?? "");
    expect(mail?.text).toMatch(/“Ada Obi”, who is in the team of “[^”]+”, chose a new password by a link in a mail\./);
  });
});
