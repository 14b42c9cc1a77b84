import { beforeAll, describe, expect, test } from "vitest";
import { sql, transaction } from "#db/client.ts";
import { Problem } from "#lib/problem.ts";
import { withDatabase } from "#testing/database.ts";
import type { Context, MemberContext, Role } from "../context.ts";
import { aMember, asMember } from "../members/member.fixture.ts";
import { aMerchant, anOperator, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { getAuditEntry, listAudit, noteInAudit } from "./index.ts";

withDatabase();

let shop: TestMerchant;
let owner: MemberContext;
beforeAll(async () => {
  shop = await aMerchant();
  owner = await as("owner");
});

const as = async (role: Role, { merchant, ctx } = shop): Promise<MemberContext> => asMember(ctx, await aMember(merchant.businessId, role));
const note = (ctx: Context, action: string, subject: string, about: { merchantId: string } | { businessId: string }, reason?: string) =>
  transaction((tx) => noteInAudit(tx, ctx, { ...about, action, subject, ...(reason && { reason }), after: { name: "x" } }));
const inTest = () => ({ merchantId: shop.merchant.id });
const inLive = () => ({ merchantId: shop.liveMerchantId });
const ofAll = () => ({ businessId: shop.merchant.businessId });
const subjectsOf = async (ctx: MemberContext, filter: Partial<Parameters<typeof listAudit>[1]> = {}) =>
  (await listAudit(ctx, { limit: 100, ...filter })).items.map(({ subject }) => subject);

test("an owner reads the acts of a mode and those about the whole business, newest first, and pages through them without a gap", async () => {
  for (let i = 0; i < 7; i++) await note(owner, "api_key.changed", `key ${i}`, i % 2 === 0 ? inTest() : ofAll());
  await note(owner, "api_key.changed", "a live key", inLive());
  const all = await subjectsOf(owner);
  expect(all.slice(0, 7)).toEqual(["key 6", "key 5", "key 4", "key 3", "key 2", "key 1", "key 0"]);
  expect(all).not.toContain("a live key");
  expect(await subjectsOf({ ...owner, merchant: { ...owner.merchant, id: shop.liveMerchantId, mode: "live" } })).toContain("a live key");
  const paged: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listAudit(owner, { limit: 3, cursor });
    paged.push(...page.items.map(({ subject }) => subject));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(paged).toEqual(all);
});

test("a developer reads what was done in test mode, and nothing about the team or the brand", async () => {
  const developer = await as("developer");
  await note(owner, "brand.changed", "the brand", ofAll());
  await note(owner, "api_key.created", "a test key", inTest());
  const seen = await subjectsOf(developer);
  expect(seen).toContain("a test key");
  expect(seen).not.toContain("the brand");
  const [brand] = (await listAudit(owner, { limit: 100 })).items.filter(({ subject }) => subject === "the brand");
  expect(await getAuditEntry(owner, brand?.seq ?? 0)).toMatchObject({ action: "brand.changed" });
  await expect(getAuditEntry(developer, brand?.seq ?? 0)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});

test("another business's log, and a number of another business, are not found", async () => {
  const other = await aMerchant();
  const stranger = await as("owner", other);
  await note(owner, "api_key.created", "only here", inTest());
  const [newest] = (await listAudit(owner, { limit: 1 })).items;
  expect(newest?.subject).toBe("only here");
  await expect(getAuditEntry(stranger, newest?.seq ?? 0)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
  expect(await subjectsOf(stranger)).not.toContain("only here");
  const { nextCursor } = await listAudit(owner, { limit: 1 });
  const foreign = await listAudit(stranger, { limit: 1, cursor: nextCursor ?? "" }).catch((error: unknown) => error);
  expect(foreign).toBeInstanceOf(Problem);
});

test("an operator's entry shows a member no name, reason or address", async () => {
  const operator = { ...anOperator, actor: { type: "operator" as const, id: "usr_operator" }, address: "203.0.113.99" };
  await note(operator, "cardholder.decided", "a person", inTest(), "Named in an inquiry.");
  const [entry] = (await listAudit(owner, { limit: 1 })).items;
  expect(entry).toMatchObject({ actor: { type: "operator", id: "" }, reason: null, address: null, requestId: null });
  expect(JSON.stringify(entry)).not.toMatch(/inquiry|usr_operator|203\.0\.113\.99/);
});

test("the entry of an operator's new rate shows a member no figures of it", async () => {
  await transaction((tx) =>
    noteInAudit(tx, anOperator, {
      ...inTest(),
      action: "rate.set",
      subject: "rate_1",
      before: { mid: "1500", area: "cards" },
      after: { mid: "1550" },
    }),
  );
  const [entry] = (await listAudit(owner, { limit: 1 })).items;
  expect(entry).toMatchObject({ action: "rate.set", before: { area: "cards" }, after: {} });
});

describe("a filter", () => {
  test("a filter by author, area or thing finds only the matching entries", async () => {
    const admin = await as("admin");
    await note(admin, "webhook_endpoint.created", "we_1", inTest());
    await note({ ...shop.ctx }, "webhook_endpoint.changed", "we_1", inTest());
    await note(admin, "webhookXendpoint.odd", "we_odd", inTest());
    expect(await subjectsOf(owner, { by: admin.actor.id })).toEqual(["we_odd", "we_1"]);
    expect(await subjectsOf(owner, { by: "api" })).toEqual(["we_1"]);
    expect(await subjectsOf(owner, { about: "webhooks" })).toEqual(["we_1", "we_1"]);
    expect(await subjectsOf(owner, { subject: "we_1", by: admin.actor.id })).toEqual(["we_1"]);
    expect(await subjectsOf(owner, { subject: "nothing" })).toEqual([]);
    for (const { actor } of (await listAudit(owner, { limit: 100, by: "service" })).items)
      expect(actor.type).toMatch(/operator|cli|system/);
  });

  test("a filter by time includes its first bound and excludes its second", async () => {
    await note(owner, "rate.set", "bounded", inTest());
    const [{ at = "" } = {}] = await sql()<{ at: string }[]>`
      select created_at as at from audit_entries where business_id = ${shop.merchant.businessId} and subject = 'bounded'`;
    const time = new Date(at);
    const later = new Date(time.getTime() + 1);
    expect(await subjectsOf(owner, { created_after: time })).toContain("bounded");
    expect(await subjectsOf(owner, { created_after: later })).not.toContain("bounded");
    expect(await subjectsOf(owner, { created_before: time })).not.toContain("bounded");
    expect(await subjectsOf(owner, { created_before: later })).toContain("bounded");
    expect(await subjectsOf(owner, { created_after: new Date("2100-01-01") })).toEqual([]);
  });
});

test("owners and admins read the network address of every act, and a developer that of their own acts alone", async () => {
  const [admin, developer, other] = [await as("admin"), await as("developer"), await as("developer")];
  const acts = { "by an owner": owner, "by an admin": admin, "by the reader": developer, "by another": other, "by a key": shop.ctx };
  for (const [subject, ctx] of Object.entries(acts))
    await note({ ...ctx, address: "203.0.113.7" }, "webhook_endpoint.created", subject, inTest());
  const read = async (ctx: MemberContext) => {
    const { items } = await listAudit(ctx, { limit: 5 });
    const alone = await Promise.all(items.map(({ seq }) => getAuditEntry(ctx, seq)));
    expect(alone).toEqual(items);
    return items.flatMap(({ subject, address }) => (address === null ? [] : [[subject, address]]));
  };
  const all = Object.keys(acts).map((subject) => [subject, "203.0.113.7"]);
  expect(await read(owner)).toEqual(all.toReversed());
  expect(await read(admin)).toEqual(all.toReversed());
  expect(await read(developer)).toEqual([["by the reader", "203.0.113.7"]]);
});
