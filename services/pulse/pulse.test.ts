import { beforeAll, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { newId } from "#lib/ids.ts";
import { withDatabase } from "#testing/database.ts";
import { rowsRead } from "#testing/rows-read.ts";
import { type AlertType, markAlertsSeen } from "../alerts/index.ts";
import type { MemberContext, Role } from "../context.ts";
import { aMember, asMember } from "../members/member.fixture.ts";
import { aMerchant, type TestMerchant } from "../merchants/merchant.fixture.ts";
import { readPulse } from "./index.ts";

withDatabase(undefined, { DATABASE_POOL_SIZE: "1" });

const MANY = 10_000;
/** One row of each table, and those of the small tables that a scan passes. */
const FEW = 12;
const TABLES = ["event_counters", "events", "alerts", "seen_alerts"];

let crowded: TestMerchant;
beforeAll(async () => {
  crowded = await aMerchant();
  await addMany(crowded.merchant.id);
  // Others have rows too, so that a query without the merchant reads more.
  await addMany((await aMerchant()).merchant.id);
  await sql()`analyze`;
});

const memberOf = async ({ ctx, merchant }: TestMerchant, role: Role = "viewer"): Promise<MemberContext> =>
  asMember(ctx, await aMember(merchant.businessId, role));

async function addMany(merchantId: string): Promise<void> {
  const sorted = (number: string) => `lpad(${number}::text, 26, '0')`;
  await sql()`
    insert into events (merchant_id, sequence, id, type, data)
    select ${merchantId}, n, 'evt_' || ${sql().unsafe(sorted("n"))}, 'card.funded', '{}' from generate_series(1, ${MANY}::int) n`;
  await sql()`
    insert into event_counters values (${merchantId}, ${MANY}) on conflict (merchant_id) do update set last_sequence = excluded.last_sequence`;
  await sql()`
    insert into alerts (merchant_id, id, type, message, resource_id)
    select ${merchantId}, 'alt_' || ${sql().unsafe(sorted("n"))}, 'card.blocked', 'A card was blocked.', 'card_1' from generate_series(1, ${MANY}::int) n`;
}

async function addAlert(merchantId: string, atMs?: number, type: AlertType = "card.blocked"): Promise<string> {
  const id = newId("alert", atMs);
  await sql()`insert into alerts (merchant_id, id, type, message, resource_id) values (${merchantId}, ${id}, ${type}, 'For people.', 'thing_1')`;
  return id;
}

async function readsOfPulse(ctx: MemberContext): Promise<number> {
  let reads = 0;
  for (const table of TABLES) reads += await rowsRead(table, () => readPulse(ctx));
  return reads;
}

test("with 10,000 events and alerts a pulse reads few rows, and at most 100 more for unseen alerts", async () => {
  const ctx = await memberOf(crowded);
  const [newest, third] = [`alt_${"10000".padStart(26, "0")}`, `alt_${"9998".padStart(26, "0")}`];
  expect(await readPulse(ctx)).toEqual({ sequence: 10_000n, unseenAlerts: 100, latestAlertId: newest });
  expect(await readsOfPulse(ctx)).toBeLessThan(100 + FEW);
  await markAlertsSeen(ctx, third);
  expect(await readPulse(ctx)).toMatchObject({ unseenAlerts: 2 });
  await markAlertsSeen(ctx, newest);
  expect(await readPulse(ctx)).toMatchObject({ unseenAlerts: 0, latestAlertId: newest });
  expect(await readsOfPulse(ctx)).toBeLessThan(FEW);
});

test("a merchant without events and alerts has a pulse of zeros", async () => {
  expect(await readPulse(await memberOf(await aMerchant()))).toEqual({ sequence: 0n, unseenAlerts: 0, latestAlertId: null });
});

test("an alert that a member has seen stays unseen for colleagues and in the other mode, and a late report of an older one is ignored", async () => {
  const shop = await aMerchant();
  const [member, colleague] = [await memberOf(shop), await memberOf(shop)];
  const inLive: MemberContext = { ...member, merchant: { ...member.merchant, id: shop.liveMerchantId, mode: "live" } };
  const [older, newer] = [await addAlert(shop.merchant.id, Date.now() - 1_000), await addAlert(shop.merchant.id)];
  const live = await addAlert(shop.liveMerchantId);
  expect(await readPulse(member)).toMatchObject({ unseenAlerts: 2, latestAlertId: newer });
  expect(await markAlertsSeen(member, newer)).toBe(newer);
  expect(await markAlertsSeen(member, older)).toBe(newer);
  expect(await readPulse(member)).toMatchObject({ unseenAlerts: 0 });
  expect(await readPulse(colleague)).toMatchObject({ unseenAlerts: 2 });
  expect(await readPulse(inLive)).toMatchObject({ unseenAlerts: 1 });
  await expect(markAlertsSeen(member, live)).rejects.toMatchObject({ code: "RESOURCE_NOT_FOUND" });
});

test("an alert of a topic that the role may not see is not counted", async () => {
  const shop = await aMerchant();
  await addAlert(shop.merchant.id);
  await addAlert(shop.merchant.id, undefined, "webhook_endpoint.disabled");
  expect(await readPulse(await memberOf(shop))).toMatchObject({ unseenAlerts: 1 });
  expect(await readPulse(await memberOf(shop, "developer"))).toMatchObject({ unseenAlerts: 2 });
});
