import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { db } from "#db/client.ts";
import { bulkOrders } from "#db/schema/bulk.ts";
import { newId } from "#lib/ids.ts";
import { aMember, tokenOfNewSession } from "#services/members/member.fixture.ts";
import { aMerchant } from "#services/merchants/merchant.fixture.ts";
import { addEverything } from "#services/search/search.fixture.ts";
import { withApp } from "#testing/app.ts";
import { type BareApp, buildBareApp } from "#testing/bare-page.ts";
import { withDatabase } from "#testing/database.ts";
import { ROOT } from "../../server/runtime.ts";
import { pagesOfMode } from "../(dashboard)/pages.fixture.ts";

withDatabase();
const app = withApp({}, { pages: true });

const KB = 1024;
let bare: BareApp;
beforeAll(async () => {
  bare = await buildBareApp();
}, 120_000);
afterAll(() => bare.remove());

/** Returns the bytes, compressed, of the scripts that browsers load with a page. Those for old browsers alone are not counted. */
function scriptBytesOf(html: string, build: string): number {
  const tags = [...html.matchAll(/<script src="\/_next\/(static\/[^"]+)"([^>]*)>/g)].filter(([, , rest = ""]) => !/nomodule/i.test(rest));
  const files = [...new Set(tags.map(([, file = ""]) => file))];
  expect(files.length).toBeGreaterThan(3);
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(join(build, file))).length, 0);
}

/** Returns the bytes of script that a page has beyond a bare page. */
async function overBare(path: string, headers: Record<string, string> = {}): Promise<number> {
  const ofBare = scriptBytesOf(readFileSync(join(bare.folder, ".next/server/app/index.html"), "utf8"), join(bare.folder, ".next"));
  const answer = await fetch(`${app.url}${path}`, { headers, redirect: "manual" });
  expect(answer.status).toBe(200);
  const own = scriptBytesOf(await answer.text(), join(ROOT, ".next"));
  console.info(`${path} ${own} bytes, a bare page ${ofBare}`);
  return own - ofBare;
}

test("the sign-in page is at most 8 KB and its script at most 6 KB, compressed", async () => {
  const page = await (await fetch(`${app.url}/sign-in`)).text();
  const scripts = [...page.matchAll(/<script src="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(scripts.length).toBe(1);
  const script = await (await fetch(`${app.url}${scripts[0]}`)).text();
  const sizes = { page: gzipSync(page).length, script: gzipSync(script).length };
  console.info("/sign-in", sizes);
  expect([sizes.page <= 8 * KB, sizes.script <= 6 * KB]).toEqual([true, true]);
});

test("the script of each page of the dashboard is at most 60 KB larger, compressed, than that of a bare page", async () => {
  const { merchant } = await aMerchant();
  const member = await aMember(merchant.businessId, "owner");
  const { link, card, holder, meterPurchase } = await addEverything(merchant.id);
  const order = newId("bulkOrder");
  await db().insert(bulkOrders).values({ merchantId: merchant.id, id: order, service: "airtime", madeBy: "system:test" });
  const things = [
    ...[`/links/${link.reference}`, `/links/${link.reference}/qr`, `/cards/${card.id}`, `/cards/holders/${holder.id}`],
    `/top-ups/${meterPurchase}`,
    `/top-ups/bulk/${order}`,
  ];
  const over = new Map<string, number>();
  for (const path of [...pagesOfMode(), ...things]) {
    over.set(path, await overBare(`/test${path}`, { cookie: `oja-session=${await tokenOfNewSession(member)}` }));
  }
  expect([...over].filter(([, bytes]) => bytes > 60 * KB)).toEqual([]);
});
