import { expect, test } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling, heading, simulate } from "./browser.ts";
import { api } from "./merchant.ts";

test("hostile text and names are shown as text: no script in them runs, and the layout around them stays intact", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 720 });
  const alerts: string[] = [];
  page.on("dialog", (dialog) => alerts.push(dialog.message()));
  const markup = "<img src=x onerror=alert(1)><script>alert(1)</script>\u202e\u2066";
  const description = markup + "👩🏾‍🌾".repeat((200 - [...markup].length) / 5);
  const fields = { amount: 5_000, description, customer_name: "<script>alert(2)</script>", callback_url: "https://shop.example/<script>" };
  const link = await api("/checkout/create", fields, process.env.E2E_HOSTILE_KEYS);
  const looksRight = async () => {
    await expectNoSidewaysScrolling(page);
    await expectNoAxeViolations(page);
    expect(await page.locator('img:not([src^="data:image/gif;"]), b, script:not([src])').count()).toBe(0);
    // The amount is drawn left to right: its first character is to the left of its last.
    const amount = await page.evaluate(() => {
      const walker = document.createTreeWalker(document.querySelector("main") as Element, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const from = node.nodeValue?.indexOf("₦5,000.00") ?? -1;
        if (from < 0 || !node.parentElement?.checkVisibility()) continue;
        const box = (at: number) => {
          const range = document.createRange();
          range.setStart(node as Text, at);
          range.setEnd(node as Text, at + 1);
          return range.getBoundingClientRect().left;
        };
        return [box(from), box(from + 8)];
      }
      return [];
    });
    expect(amount[0]).toBeLessThan(amount[1] ?? 0);
  };
  await page.goto(link.payment_link);
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  await looksRight();
  await simulate(page, "Exact amount");
  await expect(heading(page)).toHaveText(/has received your/);
  await looksRight();
  expect(alerts).toEqual([]);
});
