import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { type MemberContext, systemContext } from "../../context.ts";
import { findSession } from "../../sessions/index.ts";
import { Authenticator } from "../factors/authenticator.fixture.ts";
import { addPasskey, signInBy } from "../factors/passkeys.fixture.ts";
import { aMemberContext } from "../factors/two-factor.fixture.ts";
import {
  askRemoval,
  beginPasskeyRegistration,
  beginTotp,
  denyChange,
  finishPasskeyRegistration,
  mailDueRemovals,
  mailFirstFactorCode,
  removeFactors,
  removePasskey,
  requestReset,
  resetPassword,
} from "../index.ts";
import { aStranger, aVerifiedUser, mailsTo, PASSWORD, signInAs, tokenMailedTo } from "../users.fixture.ts";

withDatabase();

const OWNERS = {
  none: undefined,
  "younger than 30 days, used in a known browser": { days: 5, isUsed: true },
  "younger than 30 days, used in no known browser": { days: 5, isUsed: false },
  "older than 30 days": { days: 60, isUsed: true },
};
type OwnerKind = keyof typeof OWNERS;

interface Owner {
  email: string;
  ctx: MemberContext;
  passkeyId: string | undefined;
  authenticator: Authenticator | undefined;
  /** The text of the cookie of a session. */
  session: string;
}

/** Moves all that the account has into the past. */
async function age(userId: string, days: number): Promise<void> {
  const by = sql()`${days} * interval '1 day'`;
  await sql()`
    update users set created_at = created_at - ${by}, restricted_until = restricted_until - ${by}, factors_since = factors_since - ${by},
      password_reset_at = password_reset_at - ${by}
    where id = ${userId}`;
  await sql()`update known_devices set created_at = created_at - ${by} where user_id = ${userId}`;
  await sql()`update passkeys set created_at = created_at - ${by} where user_id = ${userId}`;
  await sql()`
    update user_tokens set created_at = created_at - ${by}, expires_at = expires_at - ${by}, since = since - ${by} where user_id = ${userId}`;
  await sql()`update mailed_codes set created_at = created_at - ${by}, expires_at = expires_at - ${by} where user_id = ${userId}`;
}

/** An owner who has used one browser for 60 days before the second factor. */
async function anOwner(kind: OwnerKind): Promise<Owner> {
  const email = await aVerifiedUser();
  const browser = await signInAs(email);
  if (browser.status !== "signed_in") throw new Error(browser.status);
  const ctx = await aMemberContext(email);
  await age(ctx.actor.id, 60);
  const factor = OWNERS[kind];
  if (!factor) return { email, ctx, passkeyId: undefined, authenticator: undefined, session: browser.token };
  const authenticator = new Authenticator();
  const { passkey } = await addPasskey(ctx, authenticator);
  const entered = await signInBy(authenticator, { device: factor.isUsed ? browser.device : null });
  if (entered.status !== "signed_in") throw new Error(entered.status);
  await age(ctx.actor.id, factor.days);
  return { email, ctx, passkeyId: passkey.id, authenticator, session: entered.token };
}

async function resetByMail(email: string, password: string): Promise<string | null> {
  await sql()`update user_tokens set created_at = created_at - interval '3 minutes'`;
  await requestReset(aStranger(), email);
  const result = await resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), password);
  if (result.status !== "changed") throw new Error(result.status);
  return result.removalToken;
}

const notMeLinks = async (email: string) => (await mailsTo(email)).flatMap(({ text }) => /not-me\?token=([\w-]+)/.exec(text)?.[1] ?? []);
const deleteMails = (email: string) => sql()`delete from mails where recipient = ${email}`;
const refused = async (work: Promise<unknown>) => {
  await expect(work).rejects.toMatchObject({ code: expect.stringMatching(/VALIDATION_ERROR|RATE_LIMITED/) });
};

/** What a thief has got: ways in that are tried again later. */
interface Loot {
  isIn: boolean;
  enterAgain: () => Promise<boolean>;
}

const THIEVES: Record<string, (owner: Owner) => Promise<Loot>> = {
  /** Signs in, and tries to add a second step of its own without the mailbox. */
  "the password": async ({ email }) => {
    const isIn = (await signInAs(email)).status === "signed_in";
    if (isIn) {
      const ctx = await aMemberContext(email);
      await refused(beginPasskeyRegistration(ctx, { password: PASSWORD }));
      await refused(beginTotp(ctx, { password: PASSWORD, code: "00000000" }));
    }
    return { isIn, enterAgain: async () => (await signInAs(email)).status === "signed_in" };
  },

  /** Presses every link of every mail, chooses a password, adds a passkey of its own, and deletes all mails. */
  "the mailbox": async ({ email, ctx }) => {
    const password = "a phrase of the thief for an hour";
    for (const link of await notMeLinks(email)) await denyChange(aStranger(), link);
    const offered = await resetByMail(email, password);
    for (const link of await notMeLinks(email)) await denyChange(aStranger(), link);
    const again = (await resetByMail(email, password)) ?? offered;
    if (again !== null) await askRemoval(aStranger(), again);
    expect(await mailDueRemovals(systemContext("test"))).toBe(0);
    const authenticator = new Authenticator();
    const isIn = (await signInAs(email, { password })).status === "signed_in";
    if (isIn) {
      const own = await aThiefsContext(ctx, email, password);
      await mailFirstFactorCode(own, { password });
      const code = /Code: (\d{4} \d{4})/.exec((await mailsTo(email)).at(-1)?.text ?? "")?.[1];
      const options = await beginPasskeyRegistration(own, { password, code });
      const { recoveryCodes } = await finishPasskeyRegistration(own, { name: "Thief", response: authenticator.register(options) });
      // A second one, which the first has proved.
      const more = await beginPasskeyRegistration(own, { password, code: recoveryCodes?.[0] });
      await finishPasskeyRegistration(own, { name: "Thief too", response: new Authenticator().register(more) });
      await signInBy(authenticator);
    }
    await deleteMails(email);
    return { isIn, enterAgain: async () => (await signInBy(authenticator)).status === "signed_in" };
  },

  /** Has a browser in which the owner is signed in, and tries to change what guards the sign-in. */
  "a session": async ({ ctx, passkeyId, session }) => {
    const stolen = await findSession(session);
    await refused(beginPasskeyRegistration(ctx, { password: "not the password at all", code: "00000000" }));
    if (passkeyId) await refused(removePasskey(ctx, passkeyId, { password: "not the password at all", code: "AAAA-AAAA-AAAA-AAAA" }));
    // A process believes a session for a second after its end.
    const isOpen = async () => (await sql()`select 1 from sessions where id = ${stolen?.id ?? ""} and ended_at is null`).length > 0;
    return { isIn: await isOpen(), enterAgain: isOpen };
  },
};

async function aThiefsContext(ctx: MemberContext, email: string, password: string): Promise<MemberContext> {
  const entered = await signInAs(email, { password });
  if (entered.status !== "signed_in") throw new Error(entered.status);
  const session = await findSession(entered.token);
  return { ...ctx, sessionId: session?.id ?? "" };
}

/** The owner resets the password by mail, and signs in. Returns whether that worked. */
async function comeBack({ email, authenticator }: Owner, password: string): Promise<boolean> {
  await resetByMail(email, password);
  if ((await signInAs(email, { password })).status === "signed_in") return true;
  return authenticator !== undefined && (await signInBy(authenticator)).status === "signed_in";
}

/** The owner asks for the removal of the thief's second step; the thief signs in to end the request, or stays away. Then the owner signs in. */
async function removeThief({ email }: Owner, loot: Loot, isStubborn: boolean): Promise<void> {
  const password = `the owner's last phrase ${isStubborn}`;
  const token = await resetByMail(email, password);
  expect(await askRemoval(aStranger(), token ?? "")).toEqual({ status: "asked" });
  if (isStubborn) {
    expect(await loot.enterAgain()).toBe(true);
    const told = (await mailsTo(email)).findLast(({ text }) => text.includes("That ended the request"));
    const link = /not-me\?token=([\w-]+)/.exec(told?.text ?? "")?.[1] ?? "";
    expect((await denyChange(aStranger(), link)).status).toBe("denied");
    await resetPassword(aStranger(), await tokenMailedTo(email, "reset_password"), password);
  } else {
    await sql()`update factor_removals set created_at = created_at - interval '24 hours'`;
    expect(await mailDueRemovals(systemContext("test"))).toBe(1);
    expect(await removeFactors(aStranger(), await tokenMailedTo(email, "remove_factors"))).toEqual({ status: "removed" });
  }
  expect((await signInAs(email, { password })).status).toBe("signed_in");
  expect(await loot.enterAgain()).toBe(false);
}

/** The rows of the table in docs/security.md. */
const ROWS = readFileSync(join(import.meta.dirname, "../../../docs/security.md"), "utf8")
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .filter(([, thief = "", owner = ""]) => thief in THIEVES && owner in OWNERS)
  .map(([, thief = "", owner = "", ...said]) => [thief, owner, said.slice(0, 3)] as const);

test("the table has a row for each thief and each owner", () => {
  const expected = Object.keys(THIEVES).flatMap((thief) => Object.keys(OWNERS).map((owner) => `${thief}: ${owner}`));
  expect(ROWS.map(([thief, owner]) => `${thief}: ${owner}`)).toEqual(expected);
});

test.each(ROWS)("docs/security.md is right about a thief of %s and an owner whose second step is: %s", async (thief, kind, said) => {
  for (const isStubborn of [true, false]) {
    const owner = await anOwner(kind as OwnerKind);
    const loot = (await THIEVES[thief]?.(owner)) as Loot;
    const isOwnerIn = await comeBack(owner, "the owner's new phrase of words");
    const isThiefIn = loot.isIn && (await loot.enterAgain());
    const isHelped = !isOwnerIn || isThiefIn;
    if (isHelped) await removeThief(owner, loot, isStubborn);
    const found = [loot.isIn ? "yes" : "no", isThiefIn ? "until the removal" : "no", isOwnerIn ? "no" : "until the removal"];
    expect(found).toEqual(said);
  }
});
