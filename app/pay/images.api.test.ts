import sharp from "sharp";
import { beforeAll, describe, expect, test } from "vitest";
import { sql } from "#db/client.ts";
import { qrPath } from "#lib/qr-path.ts";
import { newLinkReference } from "#lib/references.ts";
import { aLink, hear, noticeOf } from "#services/checkout/checkout.fixture.ts";
import { setBrand } from "#services/merchants/index.ts";
import { aMerchant, byOperator, type TestMerchant } from "#services/merchants/merchant.fixture.ts";
import { withApp } from "#testing/app.ts";
import { withDatabase } from "#testing/database.ts";
import { payerClient } from "./pay.fixture.ts";

withDatabase();
const app = withApp();
const { get } = payerClient(app);

let shop: TestMerchant;
beforeAll(async () => {
  shop = await aMerchant({ name: "Ada's Shop" });
});

describe("the QR code", () => {
  test("leads to the page, and is the same for an unknown reference, so that it confirms none", async () => {
    for (const reference of [(await aLink(shop)).reference, newLinkReference(1)]) {
      const response = await get(`${reference}/qr.svg`);
      expect(response.headers.get("content-type")).toBe("image/svg+xml");
      const { path } = qrPath(`${app.url}/pay/${reference}`);
      expect(await response.text()).toContain(`d="${path}"`);
    }
    for (const reference of ["x", "%3Cscript%3E", "A".repeat(41)]) expect((await get(`${reference}/qr.svg`)).status).toBe(404);
  });

  test("is drawn into a paid page, for printing, and is an image for wide screens on any other page", async () => {
    const link = await aLink(shop);
    const { path } = qrPath(`${app.url}/pay/${link.reference}`);
    const pending = await (await get(link.reference)).text();
    expect(pending).not.toContain(path);
    expect(pending).toContain(`<source media="(min-width: 64rem)" srcSet="/pay/${link.reference}/qr.svg"/>`);
    await hear(noticeOf(link));
    expect(await (await get(link.reference)).text()).toContain(path);
  });
});

test("the preview image is a PNG of 1,200 by 630 pixels and of less than 100 kB", async () => {
  const response = await get(`${(await aLink(shop)).reference}/preview.png`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  expect(response.headers.get("content-type")).toBe("image/png");
  expect(await sharp(bytes).metadata()).toMatchObject({ format: "png", width: 1_200, height: 630 });
  expect(bytes.byteLength).toBeLessThan(100_000);
});

test("the preview image depends on the merchant and the amount, and on nothing else of the link", async () => {
  const pictureOf = async (merchant: TestMerchant, fields: Record<string, unknown>) =>
    Buffer.from(await (await get(`${(await aLink(merchant, fields)).reference}/preview.png`)).arrayBuffer()).toString("base64");
  const other = await aMerchant({ name: "Bola's Shop" });
  const one = await pictureOf(shop, { description: "one", customer_name: "Ngozi" });
  expect(await pictureOf(shop, { description: "two", customer_name: "Emeka" })).toBe(one);
  expect(await pictureOf(shop, { amount: 5_001 })).not.toBe(one);
  expect(await pictureOf(other, {})).not.toBe(one);
});

test.each(["👩🏾‍🌾👩🏾‍🌾", "<b>&amp;</b> \u0000 ]]>", "مطعم", "x".repeat(100)])(
  "a business called %j has a preview image",
  async (name) => {
    const merchant = await aMerchant();
    await sql()`update businesses set name = ${name.replace("\u0000", "")} where id = ${merchant.merchant.businessId}`;
    expect((await get(`${(await aLink(merchant)).reference}/preview.png`)).status).toBe(200);
  },
);

test("a logo is on the page, browsers may cache it for ever, and its folder serves no other file", async () => {
  const branded = await aMerchant();
  await setBrand(
    { ...byOperator(branded.ctx), businessId: branded.merchant.businessId },
    {
      logo: await sharp({ create: { width: 90, height: 90, channels: 3, background: "#123456" } })
        .png()
        .toBuffer(),
    },
  );
  const html = await (await get((await aLink(branded)).reference)).text();
  const path = /<img src="\/pay\/(logos\/[0-9a-f]{32}\.webp)"/.exec(html)?.[1] ?? "";
  const response = await get(path);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "image/webp",
    "cache-control": "public, max-age=31536000, immutable",
  });
  for (const other of ["logos/x.webp", `logos/${"0".repeat(32)}.webp`, path.replace("webp", "png")])
    expect((await get(other)).status).toBe(404);
});
