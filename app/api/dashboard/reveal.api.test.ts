import { beforeAll, expect, test } from "vitest";
import { pageClient } from "#app/_http/page-client.fixture.ts";
import { sql } from "#db/client.ts";
import { hashPassword } from "#lib/passwords.ts";
import { keyedHash } from "#lib/secrets.ts";
import { aCard, aCardMerchant, type TestCard } from "#services/cards/cards.fixture.ts";
import type { Role } from "#services/context.ts";
import { aMember, type TestMember } from "#services/members/member.fixture.ts";
import type { TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { expectError } from "#testing/api.ts";
import { withApp } from "#testing/app.ts";
import { withCardSweeps } from "#testing/card-sweeps.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";

withDatabase();
const app = withApp();
withCardSweeps();

const PASSWORD = "seven lorries of ripe plantain";
let shop: TestMerchant;
let card: TestCard;
beforeAll(async () => {
  shop = await aCardMerchant();
  card = await aCard(shop);
});

async function aMemberWithPassword(role: Role): Promise<TestMember> {
  const member = await aMember(shop.merchant.businessId, role);
  await sql()`update users set password_hash = ${await hashPassword(PASSWORD)} where id = ${member.userId}`;
  return member;
}
const reveal = (member: TestMember, password: string, { id = card.id, merchantId = shop.merchant.id } = {}) =>
  pageClient(app, member, merchantId)("POST", `/api/dashboard/virtual-cards/${id}/reveal`, { body: { password } });
const reveals = (member: TestMember) => sql()`
  select subject, mode from audit_entries where actor_type = 'member' and actor_id = ${member.userId} and action = 'card.details_requested'`;

test("a member who repeats the password sees number and CVV, never cached, and the audit names the member", async () => {
  const member = await aMemberWithPassword("admin");
  const answer = await reveal(member, PASSWORD);
  expect(answer.status).toBe(200);
  expect(answer.body.data.number).toMatch(/^\d{16}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await reveals(member)).toMatchObject([{ subject: card.id, mode: "test" }]);
});

test("a wrong password shows nothing and asks no issuer", async () => {
  const member = await aMemberWithPassword("owner");
  const answer = await reveal(member, "another phrase of many words");
  expectError(answer, "VALIDATION_ERROR");
  expect(answer.body.error.param).toBe("password");
  expect(await reveals(member)).toEqual([]);
});

test("of 40 guesses at once at a member's password at most 20 are looked at, and the right one has to wait too", async () => {
  const member = await aMemberWithPassword("owner");
  const guesses = await Promise.all(times(40, (i) => reveal(member, `guess number ${i} of many`)));
  expect(guesses.filter(({ status }) => status === 422).length).toBeLessThanOrEqual(20);
  const refused = guesses.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThanOrEqual(20);
  for (const answer of refused) expectError(answer, "RATE_LIMITED");
  expectError(await reveal(member, PASSWORD), "RATE_LIMITED");
  expect(await reveals(member)).toEqual([]);
});

test("a repeated request asks for the password again, counts wrong ones, and keeps no hash of a password", async () => {
  const member = await aMemberWithPassword("owner");
  const again = (password: string) =>
    pageClient(app, member, shop.merchant.id)("POST", `/api/dashboard/virtual-cards/${card.id}/reveal`, {
      body: { password },
      changes: { "Idempotency-Key": "reveal-again" },
    });
  expect((await again(PASSWORD)).status).toBe(200);
  const replayed = await again(PASSWORD);
  expect(replayed.body.data.number).toMatch(/^\d{16}$/);
  expect(replayed.headers.get("idempotent-replayed")).toBe("true");
  const guesses: number[] = [];
  for (let i = 0; i < 20; i++) guesses.push((await again(`guess number ${i} of many`)).status);
  expect(guesses.slice(0, 10)).toEqual(Array(10).fill(422));
  expect(guesses.at(-1)).toBe(429);
  expectError(await again(PASSWORD), "RATE_LIMITED");
  const [stored] = await sql()<{ body_hash: string }[]>`select body_hash from idempotency_keys where key = 'reveal-again'`;
  expect(stored?.body_hash).toBe(keyedHash("idempotency-body", "{}"));
});

test("a viewer sees no card even with the right password, and nobody sees a card of another merchant or mode", async () => {
  expectError(await reveal(await aMemberWithPassword("viewer"), PASSWORD), "PERMISSION_DENIED");
  const owner = await aMemberWithPassword("owner");
  const other = await aCardMerchant();
  expectError(await reveal(owner, PASSWORD, { id: (await aCard(other)).id }), "RESOURCE_NOT_FOUND");
  expectError(await reveal(owner, PASSWORD, { merchantId: other.merchant.id }), "RESOURCE_NOT_FOUND");
});

test("no password is in the log", async () => {
  expect(await app.wholeLog()).not.toContain(PASSWORD);
  expect(app.log()).not.toContain("guess number 1 of many");
});
