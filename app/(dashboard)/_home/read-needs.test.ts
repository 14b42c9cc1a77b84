import { expect, test } from "vitest";
import { db } from "#db/client.ts";
import { HOUR_MS } from "#lib/time.ts";
import { type AlertType, raiseAlert } from "#services/alerts/index.ts";
import type { Area, MemberContext, Role } from "#services/context.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { addCardholder, addLink, addTransfer } from "#services/search/search.fixture.ts";
import { withDatabase } from "#testing/database.ts";
import { readNeeds } from "./read-needs.ts";

withDatabase();

async function aShop(areas: Area[]): Promise<MemberContext> {
  const { ctx } = await aMerchant();
  const merchant = { ...ctx.merchant, areas };
  for (let n = 0; n < 5; n++) await addCardholder(merchant.id, { kycStatus: "REJECTED", kycRejectionReason: "The photo is dark." });
  await addTransfer(merchant.id, (await addLink(merchant.id)).id, `session-${merchant.id}`);
  return { ...ctx, merchant, role: "owner", actor: { type: "member", id: "usr_1" }, sessionId: "ses_1" };
}

const soon = () => new Date(Date.now() + HOUR_MS);

test("home reads one more of a kind than it shows, however many there are", async () => {
  const { refused, returned } = await readNeeds(await aShop(["checkout", "cards", "vtu"]), soon());
  expect([refused.length, returned.length]).toEqual([4, 1]);
});

test("home reads nothing of an area that is off", async () => {
  const { refused, returned } = await readNeeds(await aShop(["vtu"]), soon());
  expect([refused, returned]).toEqual([[], []]);
});

test("home reads no webhook endpoints for roles that may not see them", async () => {
  const ctx = await aShop([]);
  expect((await readNeeds({ ...ctx, role: "viewer" }, soon())).endpoints).toEqual([]);
});

test.each<[Role, AlertType[]]>([
  ["viewer", ["card.blocked"]],
  ["support", ["card.blocked"]],
  ["developer", ["api_key.ending", "webhook_endpoint.disabled", "card.blocked"]],
])("home reads for a %s only alerts of topics that the role may see, also where alerts of other topics are newer", async (role, types) => {
  const ctx = await aShop([]);
  const raise = (type: AlertType) => raiseAlert(db(), ctx.merchant.id, { type, message: "For people.", resourceId: "thing_1" });
  await raise("card.blocked");
  await raise("webhook_endpoint.disabled");
  await raise("api_key.ending");
  const { alerts } = await readNeeds({ ...ctx, role }, soon());
  // Alerts of one millisecond have no order.
  expect(alerts.map(({ type }) => type).toSorted()).toEqual(types.toSorted());
});
