import { beforeAll, expect, test } from "vitest";
import { firstFactorProof, pageClient } from "#app/_http/page-client.fixture.ts";
import { sql, transaction } from "#db/client.ts";
import { keyedHash } from "#lib/secrets.ts";
import { aCard, aCardMerchant, type TestCard } from "#services/cards/cards.fixture.ts";
import type { TestMember } from "#services/members/member.fixture.ts";
import { anOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { beginSession } from "#services/sessions/index.ts";
import { Authenticator, type Flaws } from "#services/users/factors/authenticator.fixture.ts";
import { aMemberWithPassword, PASSWORD } from "#services/users/users.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();
withCardSweeps();

type Purpose = "reveal_card" | "add_passkey" | "remove_passkey";
interface Person {
  member: TestMember;
  device: Authenticator;
  passkeyId: string;
  recoveryCodes: string[];
}

const PASSKEYS = "/api/dashboard/passkeys";
let shop: TestMerchant;
let card: TestCard;
beforeAll(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop);
});

/** The origin of the app under test, which is another than that of this process. */
const at = (flaws: Flaws = {}): Flaws => ({ origin: app.url, rpId: new URL(app.url).hostname, ...flaws });
const post = ({ token }: { token: string }, path: string, body: unknown, changes = {}) =>
  pageClient(app, { token }, shop.merchant.id)("POST", path, { body, changes });
const reveal = (member: { token: string }, proof: unknown, changes = {}) =>
  post(member, `/api/dashboard/virtual-cards/${card.id}/reveal`, proof, changes);
const begin = async (member: { token: string }, purpose: Purpose) => (await post(member, `${PASSKEYS}/proof`, { purpose })).body.data;

/** An owner who has a passkey and no authenticator app. */
async function aPerson(): Promise<Person> {
  const member = await aMemberWithPassword(shop.merchant.businessId, "owner");
  const device = new Authenticator();
  const { body } = await post(member, `${PASSKEYS}/options`, await firstFactorProof(app, member, shop.merchant.id));
  const added = await post(member, PASSKEYS, { name: "Phone", response: device.register(body.data, at()) });
  return { member, device, passkeyId: added.body.data.id, recoveryCodes: added.body.data.recovery_codes };
}

async function prove({ member, device }: Person, purpose: Purpose, flaws: Flaws = {}) {
  const options = await begin(member, purpose);
  return { challenge: options.challenge, response: device.signIn(options, at(flaws)) };
}

const reveals = ({ member }: Person) => sql()`
  select subject from audit_entries where actor_type = 'member' and actor_id = ${member.userId} and action = 'card.details_requested'`;

function expectWrong(answer: Awaited<ReturnType<typeof reveal>>, param: string): void {
  expectError(answer, "VALIDATION_ERROR");
  expect(answer.body.error.param).toBe(param);
}

test("a member who uses a passkey sees number and CVV, never cached, and its use is noted", async () => {
  const person = await aPerson();
  const options = await begin(person.member, "reveal_card");
  expect(options).toMatchObject({ rpId: at().rpId, userVerification: "required", allowCredentials: [{ type: "public-key" }] });
  const response = person.device.signIn(options, at());
  // Browsers add fields, and a device that was named may leave the user's handle out.
  const { userHandle: _, ...signed } = response.response;
  const answer = await reveal(person.member, {
    challenge: options.challenge,
    response: { ...response, response: signed, authenticatorAttachment: "platform" },
  });
  expect(answer.status).toBe(200);
  expect(answer.body.data.number).toMatch(/^\d{16}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await reveals(person)).toHaveLength(1);
  const [{ last_used_at } = {}] = await sql()`select last_used_at from passkeys where id = ${person.passkeyId}`;
  expect(last_used_at).not.toBeNull();
});

test("a proof works once: of five at once one shows the card, and a later one nothing", async () => {
  const person = await aPerson();
  const proof = await prove(person, "reveal_card");
  const answers = await Promise.all(times(5, () => reveal(person.member, proof)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422]);
  expectWrong(await reveal(person.member, proof), "challenge");
  expect(await reveals(person)).toHaveLength(1);
});

test.each<[Purpose, Purpose]>([
  ["add_passkey", "reveal_card"],
  ["remove_passkey", "reveal_card"],
  ["reveal_card", "add_passkey"],
  ["remove_passkey", "add_passkey"],
  ["reveal_card", "remove_passkey"],
  ["add_passkey", "remove_passkey"],
])("a proof made for %s is refused for %s", async (given, wanted) => {
  const person = await aPerson();
  const proof = await prove(person, given);
  const paths = {
    reveal_card: `/api/dashboard/virtual-cards/${card.id}/reveal`,
    add_passkey: `${PASSKEYS}/options`,
    remove_passkey: `${PASSKEYS}/${person.passkeyId}/remove`,
  };
  expectWrong(await post(person.member, paths[wanted], proof), "challenge");
  expect((await post(person.member, paths[given], proof)).status).toBe(200);
});

test("a challenge of a sign-in or of a registration is no proof, and a challenge of a proof registers no passkey", async () => {
  const person = await aPerson();
  const signIn = Buffer.alloc(32, 7).toString("base64url");
  await sql()`
    insert into passkey_challenges (hash, expires_at) values (${keyedHash("passkey-challenge", signIn)}, now() + interval '1 minute')`;
  const registration = (await post(person.member, `${PASSKEYS}/options`, { password: PASSWORD, code: person.recoveryCodes[0] })).body.data;
  for (const challenge of [signIn, registration.challenge]) {
    expectWrong(await reveal(person.member, { challenge, response: person.device.signIn({ challenge }, at()) }), "challenge");
  }
  const { challenge } = await begin(person.member, "add_passkey");
  const response = new Authenticator().register({ challenge, user: registration.user }, at());
  expectWrong(await post(person.member, PASSKEYS, { name: "Other", response }), "response");
});

test("a proof counts for the member and the session that began it, and for no other", async () => {
  const [person, colleague] = [await aPerson(), await aPerson()];
  const proof = await prove(person, "reveal_card");
  expectWrong(await reveal(colleague.member, proof), "challenge");
  const { token } = await transaction((tx) => beginSession(tx, anOperator, person.member.userId, "Other browser"));
  expectWrong(await reveal({ token }, proof), "challenge");
  // The colleague's device signs a challenge of this person, and names its user or nobody.
  for (const flaws of [{}, { userHandle: undefined }]) {
    expectWrong(await reveal(person.member, await prove({ ...person, device: colleague.device }, "reveal_card", flaws)), "response");
  }
  expect((await reveal(person.member, proof)).status).toBe(200);
  expect([await reveals(person), await reveals(colleague)].map((rows) => rows.length)).toEqual([1, 0]);
});

test.each<[string, Flaws]>([
  ["without verifying its user", { isVerified: false }],
  ["of a page of another origin", { origin: "https://evil.example" }],
  ["for another host", { rpId: "evil.example" }],
  ["in a frame of another site", { crossOrigin: true }],
  ["that names another user", { userHandle: "dXNyXzE" }],
  ["that was made for a registration", { type: "webauthn.create" }],
])("an answer %s is refused, and its challenge is used up", async (_name, flaws) => {
  const person = await aPerson();
  const proof = await prove(person, "reveal_card", flaws);
  expectWrong(await reveal(person.member, proof), "response");
  expectWrong(await reveal(person.member, proof), "challenge");
  expect(await reveals(person)).toEqual([]);
});

test("an expired challenge and a removed passkey prove nothing, and a person without a passkey cannot begin a proof", async () => {
  const person = await aPerson();
  const old = await prove(person, "reveal_card");
  await sql()`update passkey_challenges set expires_at = now() - interval '1 second' where user_id = ${person.member.userId}`;
  expectWrong(await reveal(person.member, old), "challenge");
  const proof = await prove(person, "reveal_card");
  const withCode = { password: PASSWORD, code: person.recoveryCodes[0] };
  expect((await post(person.member, `${PASSKEYS}/${person.passkeyId}/remove`, withCode)).status).toBe(200);
  expectWrong(await reveal(person.member, proof), "response");
  expectError(await post(person.member, `${PASSKEYS}/proof`, { purpose: "reveal_card" }), "VALIDATION_ERROR");
  expectWrong(await post(person.member, `${PASSKEYS}/proof`, { purpose: "sign_in" }), "purpose");
});

test("exactly one proof is accepted: a request with none, with half of one or with two is refused by field", async () => {
  const person = await aPerson();
  const { challenge, response } = await prove(person, "reveal_card");
  for (const [body, param] of [
    [{}, "password"],
    [{ challenge }, "response"],
    [{ response }, "challenge"],
    [{ password: PASSWORD, challenge, response }, "password"],
    [{ challenge, response, code: "123456" }, "code"],
    [{ challenge: "not base64url!", response }, "challenge"],
  ] as const) {
    expectWrong(await reveal(person.member, body), param);
  }
  expect((await reveal(person.member, { challenge, response })).status).toBe(200);
});

test("wrong passkey answers are not counted, and too many wrong passwords do not lock a right passkey out", async () => {
  const person = await aPerson();
  for (let i = 0; i < 15; i++) {
    expectWrong(await reveal(person.member, await prove(person, "reveal_card", { isVerified: false })), "response");
  }
  const guesses = await Promise.all(times(20, (i) => reveal(person.member, { password: `guess number ${i} of many` })));
  expect(guesses.some(({ status }) => status === 429)).toBe(true);
  await sql()`update sign_in_failures set blocked_until = now() + interval '1 hour' where blocked_until > 'epoch'`;
  expectError(await reveal(person.member, { password: PASSWORD }), "RATE_LIMITED");
  expect((await reveal(person.member, await prove(person, "reveal_card"))).status).toBe(200);
});

test("a repeated request needs a new proof, and the stored hash of its body contains no proof", async () => {
  const person = await aPerson();
  const key = { "Idempotency-Key": "reveal-by-passkey" };
  const proof = await prove(person, "reveal_card");
  expect((await reveal(person.member, proof, key)).status).toBe(200);
  expectWrong(await reveal(person.member, proof, key), "challenge");
  const replayed = await reveal(person.member, await prove(person, "reveal_card"), key);
  expect(replayed.body.data.number).toMatch(/^\d{16}$/);
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  const [stored] = await sql()<{ body_hash: string }[]>`select body_hash from idempotency_keys where key = 'reveal-by-passkey'`;
  expect(stored?.body_hash).toBe(keyedHash("idempotency-body", "{}"));
  const begun = () => post(person.member, `${PASSKEYS}/proof`, { purpose: "reveal_card" }, { "Idempotency-Key": "begin-proof" });
  const [first, second] = [await begun(), await begun()];
  expect(second.headers.get("idempotent-replayed")).toBe("true");
  expect(second.body.data.challenge).not.toBe(first.body.data.challenge);
});

test("a member adds and removes passkeys with another passkey instead of the password", async () => {
  const person = await aPerson();
  const options = await post(person.member, `${PASSKEYS}/options`, await prove(person, "add_passkey"));
  const laptop = new Authenticator();
  const added = await post(person.member, PASSKEYS, { name: "Laptop", response: laptop.register(options.body.data, at()) });
  expect(added.status).toBe(201);
  const byLaptop = { ...person, device: laptop };
  expect((await post(person.member, `${PASSKEYS}/${person.passkeyId}/remove`, await prove(byLaptop, "remove_passkey"))).status).toBe(200);
  const last = await post(person.member, `${PASSKEYS}/${added.body.data.id}/remove`, await prove(byLaptop, "remove_passkey"));
  expect(last.status).toBe(200);
  expect(await sql()`select from passkeys where user_id = ${person.member.userId}`).toEqual([]);
});

test("while an authenticator app is on, a passkey can show a card but cannot add or remove a passkey", async () => {
  const person = await aPerson();
  const proofs = [await prove(person, "add_passkey"), await prove(person, "remove_passkey"), await prove(person, "reveal_card")];
  await sql()`insert into totp_secrets (user_id, sealed_secret, confirmed_at) values (${person.member.userId}, 'sealed', now())`;
  expectWrong(await post(person.member, `${PASSKEYS}/options`, proofs[0]), "password");
  expectWrong(await post(person.member, `${PASSKEYS}/${person.passkeyId}/remove`, proofs[1]), "password");
  expect((await reveal(person.member, proofs[2])).status).toBe(200);
  expect(await sql()`select from passkeys where user_id = ${person.member.userId}`).toHaveLength(1);
});
