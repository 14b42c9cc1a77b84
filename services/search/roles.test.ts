import { beforeAll, expect, test } from "vitest";
import { withDatabase } from "#testing/database.ts";
import type { MerchantContext, Role } from "../context.ts";
import type { TestMerchant } from "../merchants/merchant.fixture.ts";
import { ALL_PERMISSIONS } from "../permissions.ts";
import { search } from "./index.ts";
import { addEverything, aSearcher, type Everything, idsIn, namesOf } from "./search.fixture.ts";

withDatabase();

let shop: TestMerchant;
let all: Everything;

beforeAll(async () => {
  shop = await aSearcher();
  all = await addEverything(shop.merchant.id);
});

const OF_CHECKOUT = ["links"];
const OF_CARDS = ["cardholders", "cards", "operations", "transactions"];
const OF_VTU = ["purchases"];
const OF_WALLET = ["walletTransactions"];
const OF_EVENTS = ["alerts", "events"];
const OF_WEBHOOKS = ["deliveries", "endpoints"];
const EVERY_KIND = [...OF_CHECKOUT, ...OF_CARDS, ...OF_VTU, ...OF_WALLET, ...OF_EVENTS, ...OF_WEBHOOKS].sort();

/** Returns the kinds of all things that a caller finds by all names. */
async function kindsFor(ctx: MerchantContext): Promise<string[]> {
  const results = await Promise.all(namesOf(all).map(([, text]) => search(ctx, text)));
  return [...new Set(results.flatMap((result) => Object.keys(idsIn(result))))].sort();
}

function asMember(role: Role): MerchantContext {
  const { permissions: _, ...ctx } = shop.ctx;
  return { ...ctx, actor: { type: "member", id: "usr_1" }, role };
}

test("an owner, an admin and a developer find every kind, and support and viewers neither events nor webhooks", async () => {
  const kindsWithoutDevelopers = [...OF_CHECKOUT, ...OF_CARDS, ...OF_VTU, ...OF_WALLET].sort();
  for (const role of ["owner", "admin", "developer"] as const) expect([role, await kindsFor(asMember(role))]).toEqual([role, EVERY_KIND]);
  for (const role of ["support", "viewer"] as const) {
    expect([role, await kindsFor(asMember(role))]).toEqual([role, kindsWithoutDevelopers]);
  }
});

test("a member's role decides, whatever permissions a key would have", async () => {
  expect(await kindsFor({ ...asMember("viewer"), permissions: ALL_PERMISSIONS })).not.toContain("events");
});

test("a key finds what its permissions show, and without permissions nothing", async () => {
  const kindsByPermission = [
    ["checkout:read", OF_CHECKOUT],
    ["cards:read", OF_CARDS],
    ["vtu:read", OF_VTU],
    ["wallet:read", OF_WALLET],
    ["events:read", OF_EVENTS],
    ["webhooks:read", OF_WEBHOOKS],
  ] as const;
  for (const [permission, kinds] of kindsByPermission) {
    expect([permission, await kindsFor({ ...shop.ctx, permissions: [permission] })]).toEqual([permission, kinds]);
  }
  const others = ALL_PERMISSIONS.filter((permission) => !kindsByPermission.some(([known]) => known === permission));
  expect(await kindsFor({ ...shop.ctx, permissions: others })).toEqual([]);
});

test("a caller with neither a role nor permissions finds nothing", async () => {
  const { permissions: _, ...ctx } = shop.ctx;
  expect(await kindsFor(ctx)).toEqual([]);
});

test("an area that is not enabled yields nothing of it", async () => {
  const withAreas = (...areas: MerchantContext["merchant"]["areas"]) => kindsFor({ ...shop.ctx, merchant: { ...shop.merchant, areas } });
  const ofNoArea = [...OF_WALLET, ...OF_EVENTS, ...OF_WEBHOOKS];
  expect(await withAreas()).toEqual([...ofNoArea].sort());
  expect(await withAreas("checkout")).toEqual([...ofNoArea, ...OF_CHECKOUT].sort());
  expect(await withAreas("cards")).toEqual([...ofNoArea, ...OF_CARDS].sort());
  expect(await withAreas("vtu")).toEqual([...ofNoArea, ...OF_VTU].sort());
});
