import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { aShop } from "./browser.ts";
import { api, createLink, merchantId } from "./merchant.ts";

const listOrigins = (...origins: string[]) =>
  execFileSync(process.execPath, [
    join(import.meta.dirname, "../cli/main.ts"),
    "embed",
    merchantId(),
    ...origins.flatMap((origin) => ["--origin", origin]),
  ]);

const framing = (url: string) =>
  `<title>Shop</title><script>window.heard = []; addEventListener("message", (event) => heard.push({ origin: event.origin, ...event.data }))</script><iframe src="${url}" width="400" height="900"></iframe>`;

test.describe.configure({ mode: "serial" });

test("by default no page may frame a payment", async ({ page }) => {
  const link = await createLink();
  const shop = await aShop(framing(link.payment_link));
  const refusal = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(shop.url);
  await refusal;
  await expect(page.frameLocator("iframe").getByRole("heading", { level: 1 })).toHaveCount(0);
  shop.close();
});

test("a page that the merchant lists can frame a payment and receives its status, and no other page does", async ({ page }) => {
  const link = await createLink({ callback_url: "https://shop.example/thanks" });
  const shop = await aShop(framing(link.payment_link));
  const stranger = await aShop(framing(link.payment_link));
  listOrigins("https://elsewhere.example", shop.url);
  await page.goto(shop.url);
  const heard = () => page.evaluate(() => (window as unknown as { heard: Record<string, unknown>[] }).heard);
  await expect
    .poll(heard)
    .toEqual([
      { origin: process.env.BASE_URL, type: "oja.payment", reference: link.reference, status: "pending", height: expect.any(Number) },
    ]);
  await api(`/test/checkout/${link.reference}/transfer`, {});
  await expect.poll(async () => (await heard()).at(-1)).toMatchObject({ status: "success", reference: link.reference });
  // The page reports its height when it grows or shrinks, so that the frame can follow.
  const [first] = await heard();
  await page.frameLocator("iframe").getByText("Simulate", { exact: true }).click();
  await expect.poll(async () => (await heard()).at(-1)?.height).not.toBe(first?.height);
  await page.frameLocator("iframe").getByText("Simulate", { exact: true }).click();
  // In a frame, the shop's own page decides where its customer goes.
  await expect(page.frameLocator("iframe").locator("#returning")).toBeHidden();
  await expect(page.frameLocator("iframe").getByRole("link", { name: "Return to shop.example" })).toHaveAttribute("target", "_top");

  const refusal = page.waitForEvent("console", (message) => message.text().includes("frame-ancestors"));
  await page.goto(stranger.url);
  await refusal;
  expect(await heard()).toEqual([]);
  listOrigins();
  shop.close();
  stranger.close();
});
