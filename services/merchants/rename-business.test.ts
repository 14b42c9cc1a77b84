import { beforeEach, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { withDatabase } from "#testing/database.ts";
import { times } from "#testing/until.ts";
import type { MemberContext } from "../context.ts";
import { aMember } from "../members/member.fixture.ts";
import { decideName, getBusiness, listNameRequests, renameBusiness, requestArea, setEmbedOrigins } from "./index.ts";
import { aMerchant, anOperator, enableLiveAreas, type TestMerchant } from "./merchant.fixture.ts";

withDatabase();

let shop: TestMerchant;
let owner: MemberContext & { businessId: string };
beforeEach(async () => {
  shop = await aMerchant();
  const { businessId } = shop.merchant;
  const { userId, sessionId } = await aMember(businessId, "owner");
  owner = { ...shop.ctx, businessId, actor: { type: "member", id: userId }, role: "owner", sessionId };
});

const rename = (name: string, from = "Ada's Shop", fromRequested: string | null = null) =>
  renameBusiness(owner, { name, from, fromRequested });
const decide = (isApproved: boolean, name: string) =>
  decideName(anOperator, owner.businessId, { name, isApproved, reason: "The papers say so." });
const actionsOf = async () =>
  (
    await sql()<{ action: string }[]>`
      select action from audit_entries where business_id = ${owner.businessId} and action like 'business.%' order by seq`
  ).map(({ action }) => action);

test("without a live area a new name is valid at once", async () => {
  expect(await rename("Ada's Kitchen")).toEqual({ name: "Ada's Kitchen", requestedName: null });
  expect(await getBusiness(owner)).toMatchObject({ name: "Ada's Kitchen", requestedName: null });
  expect(await actionsOf()).toEqual(["business.created", "business.renamed"]);
  expect(await rename("Ada's Kitchen", "Ada's Kitchen")).toEqual({ name: "Ada's Kitchen", requestedName: null });
  expect(await actionsOf()).toHaveLength(2);
});

test("with a live area a new name waits until an operator approves or refuses it, once", async () => {
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  expect(await rename("First Bank")).toEqual({ name: "Ada's Shop", requestedName: "First Bank" });
  expect(await listNameRequests(anOperator)).toMatchObject([
    { business: owner.businessId, name: "Ada's Shop", requestedName: "First Bank" },
  ]);
  await expect(decideName(anOperator, owner.businessId, { name: "First Bank", isApproved: true, reason: " " })).rejects.toMatchObject({
    code: "VALIDATION_ERROR",
  });
  expect(await decide(false, "First Bank")).toEqual({ name: "Ada's Shop", requestedName: null });
  await expect(decide(true, "First Bank")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await rename("Ada's Kitchen");
  expect(await decide(true, "Ada's Kitchen")).toEqual({ name: "Ada's Kitchen", requestedName: null });
  expect(await actionsOf()).toEqual([
    "business.created",
    "business.name_requested",
    "business.name_refused",
    "business.name_requested",
    "business.name_approved",
  ]);
  await expect(decideName(anOperator, "biz_unknown", { name: "x", isApproved: true, reason: "x" })).rejects.toMatchObject({
    code: "RESOURCE_NOT_FOUND",
  });
});

test("a request for the present name withdraws the waiting one, and a second request replaces the first", async () => {
  await enableLiveAreas(shop.liveMerchantId, "vtu");
  await rename("One Shop");
  expect(await rename("Two Shop", "Ada's Shop", "One Shop")).toEqual({ name: "Ada's Shop", requestedName: "Two Shop" });
  expect(await rename("Ada's Shop", "Ada's Shop", "Two Shop")).toEqual({ name: "Ada's Shop", requestedName: null });
  await expect(decide(true, "Two Shop")).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
});

test("a name that was swapped since the operator read it is not approved", async () => {
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  await rename("Ada's Kitchen");
  await rename("First Bank", "Ada's Shop", "Ada's Kitchen");
  await expect(decide(true, "Ada's Kitchen")).rejects.toMatchObject({ message: expect.stringContaining("asks for First Bank now") });
  expect((await getBusiness(owner)).name).toBe("Ada's Shop");
});

test("a request that does not cite the waiting name is told who asked for that and when, and one that cites it replaces it", async () => {
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  await rename("One Shop");
  expect(await rename("One Shop")).toEqual({ name: "Ada's Shop", requestedName: "One Shop" });
  const conflict = {
    code: "VERSION_CONFLICT",
    message: expect.stringMatching(/^Bola Ade asked for the name One Shop on \d.+\. Read it again/),
  };
  await expect(rename("Two Shop")).rejects.toMatchObject(conflict);
  await expect(rename("Ada's Shop")).rejects.toMatchObject(conflict);
  await expect(rename("Two Shop", "Ada's Shop", "Another Shop")).rejects.toMatchObject(conflict);
  expect((await getBusiness(owner)).requestedName).toBe("One Shop");
  expect((await rename("Two Shop", "Ada's Shop", "One Shop")).requestedName).toBe("Two Shop");
  await decide(false, "Two Shop");
  await expect(rename("Three Shop", "Ada's Shop", "Two Shop")).rejects.toMatchObject({
    ...{ code: "VERSION_CONFLICT", message: expect.stringContaining("Somebody else changed this") },
  });
});

test("of five who ask for a name at once, one name waits, and the others are told of it", async () => {
  await enableLiveAreas(shop.liveMerchantId, "checkout");
  const results = await Promise.allSettled(times(5, (i) => rename(`Shop ${i}`)));
  const waiting = results.flatMap((each) => (each.status === "fulfilled" ? [each.value.requestedName] : []));
  expect(waiting).toEqual([(await getBusiness(owner)).requestedName]);
  for (const refused of results.filter(({ status }) => status === "rejected")) {
    expect(refused).toMatchObject({
      ...{ reason: { code: "VERSION_CONFLICT", message: expect.stringContaining(`asked for the name ${waiting[0]}`) } },
    });
  }
});

test("a new name waits if a live area is requested, because an operator examines the business", async () => {
  await requestArea({ ...owner, merchant: { ...owner.merchant, id: shop.liveMerchantId, mode: "live" } }, "checkout");
  expect(await rename("First Bank")).toEqual({ name: "Ada's Shop", requestedName: "First Bank" });
});

test("of two renames at once, one is made, and the other is told who changed the name", async () => {
  const results = await Promise.allSettled([rename("One Shop"), rename("Two Shop")]);
  const [refused] = results.flatMap((each) => (each.status === "rejected" ? [each.reason] : []));
  expect(refused).toMatchObject({ code: "VERSION_CONFLICT", message: expect.stringContaining("Bola Ade changed this") });
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

test("of two lists of framing sites from one page, the second is a conflict, and the same list again changes nothing", async () => {
  const ctx = { ...owner, merchant: shop.merchant };
  const set = (origins: string[], from: string[]) => setEmbedOrigins(ctx, origins, from);
  expect(await set(["https://a.example"], [])).toEqual(["https://a.example"]);
  await expect(set(["https://b.example"], [])).rejects.toMatchObject({ code: "VERSION_CONFLICT" });
  expect(await set(["https://a.example"], [])).toEqual(["https://a.example"]);
  expect(await set([], ["https://a.example"])).toEqual([]);
});
