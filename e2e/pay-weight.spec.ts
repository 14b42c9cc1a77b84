import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import sharp from "sharp";
import { api, createLink, merchantId } from "./merchant.ts";

const cli = (...args: string[]) => execFileSync(process.execPath, [join(import.meta.dirname, "../cli/main.ts"), ...args]);

/** Gives the merchant the largest logo that Oja stores: the widest picture of noise whose WebP fits the limit. */
async function brandIt(): Promise<void> {
  const file = join(import.meta.dirname, "../.data/logo.png");
  const noise = { type: "gaussian", mean: 128, sigma: 30 } as const;
  for (let width = 320; width > 0; width -= 4) {
    const picture = await sharp({ create: { width, height: 80, channels: 3, background: "#888", noise } })
      .png()
      .toBuffer();
    const logo = await sharp(picture).webp({ quality: 85, effort: 6 }).toBuffer();
    if (logo.byteLength > MAX_LOGO_BYTES) continue;
    expect(logo.byteLength).toBeGreaterThan(0.9 * MAX_LOGO_BYTES);
    writeFileSync(file, picture);
    break;
  }
  cli("brand", merchantId(), "--logo", file);
}
const MAX_LOGO_BYTES = 5 * 1024;

test("a slow logo does not make the page load again", async ({ page }) => {
  await brandIt();
  const link = await createLink();
  await page.route("**/pay/logos/*", async (route) => {
    await new Promise((done) => setTimeout(done, 1_500));
    await route.continue();
  });
  let pages = 0;
  page.on("request", (request) => {
    if (request.url() === link.payment_link) pages += 1;
  });
  await page.goto(link.payment_link, { waitUntil: "networkidle" });
  expect(pages).toBe(1);
});

test("the fullest pages stay within the budget of bytes, script and requests, without a cookie or a third party", async ({
  page,
  context,
}) => {
  await brandIt();
  const description = "Two trays of jollof and a very cold zobo, delivered to the gate of Block C";
  const plain = await createLink({ description });
  const wrong = await createLink({ description });
  for (const amount of [4_000, 6_000, 4_500]) await api(`/test/checkout/${wrong.reference}/transfer`, { amount });
  const paid = await createLink({ description, callback_url: "https://shop.example/thanks" });
  for (let i = 0; i < 3; i++) await api(`/test/checkout/${paid.reference}/transfer`, {});
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const sizes = new Map<string, number>();
  const urls = new Map<string, string>();
  client.on("Network.requestWillBeSent", ({ requestId, request }) => urls.set(requestId, request.url));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => sizes.set(requestId, encodedDataLength));
  const views = [plain, wrong, paid].flatMap(({ payment_link: url }) => [url, `${url}?lang=yo&simulate=bank-down`]);
  for (const [path, width] of views.flatMap((view) => [[view, 360] as const, [view, 1440] as const])) {
    await page.goto("about:blank");
    await page.setViewportSize({ width, height: 800 });
    urls.clear();
    await client.send("Network.clearBrowserCache");
    await page.goto(path, { waitUntil: "networkidle" });
    // The requests that load the page. From 2 s on the page also polls, which takes less than 300 bytes each time.
    const loads = [...urls].filter(([, url]) => !url.startsWith("data:") && !/\/status($|\?)/.test(url));
    const bytesOf = (part: [string, string][]) => part.reduce((sum, [id]) => sum + (sizes.get(id) ?? 0), 0);
    const [bytes, script] = [bytesOf(loads), bytesOf(loads.filter(([, url]) => url.endsWith(".js")))];
    console.log(`payer's page at ${width} px: ${bytes} bytes in ${loads.length} requests, ${script} of them script`);
    expect(loads.some(([, url]) => url.includes("/logos/"))).toBe(true);
    expect(script).toBeGreaterThan(0);
    expect(loads.every(([, url]) => url.startsWith(process.env.BASE_URL ?? ""))).toBe(true);
    expect(loads.length).toBeLessThanOrEqual(4);
    expect(loads.some(([, url]) => url.endsWith("/qr.svg"))).toBe(width === 1440 && !path.startsWith(paid.payment_link));
    expect(bytes).toBeLessThanOrEqual(20 * 1024);
    expect(script).toBeLessThanOrEqual(5 * 1024);
  }
  expect(await context.cookies()).toEqual([]);
  const status = await (await fetch(`${plain.payment_link}/status`)).arrayBuffer();
  expect(status.byteLength).toBeLessThan(300);
});
