import { expect, type Page, test } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling, expectTargetsOf44Pixels, heading, simulate } from "./browser.ts";
import { inEveryLook, photograph } from "./looks.ts";
import { api, createLink } from "./merchant.ts";

/** Opens a link, lets the payer say that the money is sent if `sent`, and expires it. */
async function openExpired(page: Page, { sent }: { sent: boolean }) {
  const link = await createLink();
  await page.goto(link.payment_link);
  if (sent) {
    const told = page.waitForResponse((response) => response.url().endsWith("/activity") && response.ok());
    await page.getByRole("button", { name: "I’ve sent the money" }).click();
    await told;
  }
  await simulate(page, "Time over");
  await expect(heading(page)).toHaveText("This payment has expired");
  return link;
}

const newLink = (page: Page) => page.getByRole("link", { name: "Open the new link" });

for (const sent of [false, true]) {
  test(`an expired link with a replacement shows the button to it${sent ? ", and after 'sent' it says to wait first" : ""}`, async ({
    browser,
  }) => {
    await inEveryLook(browser, async (page, look) => {
      const old = await openExpired(page, { sent });
      await expect(newLink(page)).toHaveCount(0);
      const link = await createLink({ replaces: old.reference });
      // The page that is open learns of the new link by itself: a phone that comes back asks at once.
      await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
      await expect(newLink(page)).toBeVisible();
      await expect(page.getByRole("status")).toContainText(sent ? "Wait for the bank first" : "has made a new link");
      const wait = page.locator("section p").filter({ hasText: "Wait for the bank first: do not send it again." });
      await expect(wait).toHaveCount(sent ? 1 : 0);
      if (sent) {
        const [above, below] = [await wait.boundingBox(), await newLink(page).boundingBox()];
        expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0);
      }
      await expectNoSidewaysScrolling(page);
      await expectTargetsOf44Pixels(page);
      await expectNoAxeViolations(page);
      await photograph(page, `replaced${sent ? "-sent" : ""}-${look}`);
      expect(page.url()).toContain(old.payment_link);
      await newLink(page).click();
      await expect(page).toHaveURL(link.payment_link);
      await expect(heading(page)).toContainText("Pay ₦5,000.00");
    });
  });
}

test("after the earlier link of an order was paid in time, the page of the new one asks for no money and leads to the paid one", async ({
  browser,
}) => {
  await inEveryLook(browser, async (page, look) => {
    const old = await createLink();
    const inTime = new Date().toISOString();
    await api(`/test/checkout/${old.reference}/expire`, {});
    const link = await createLink({ replaces: old.reference });
    await page.goto(link.payment_link);
    await expect(heading(page)).toContainText("Pay ₦5,000.00");
    await api(`/test/checkout/${old.reference}/transfer`, { made_at: inTime });
    // The page that is open learns of the payment by itself: a phone that comes back asks at once.
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(heading(page)).toHaveText("This order is paid already");
    await expect(page.getByRole("status")).toContainText("It was paid with another link of Ada's Kitchen.");
    // Money that came in time goes back too, so the page must not say that it counts.
    await expect(page.getByText("still counts")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Copy" })).toHaveCount(0);
    await expectNoSidewaysScrolling(page);
    await expectTargetsOf44Pixels(page);
    await expectNoAxeViolations(page);
    await photograph(page, `order-paid-${look}`);
    await page.getByRole("link", { name: "Open the paid link" }).click();
    await expect(page).toHaveURL(old.payment_link);
    await expect(heading(page)).toContainText("received");
  });
});

test("the expired page of a replaced link leads to the new one without script, in the payer's language", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const old = await createLink();
  await api(`/test/checkout/${old.reference}/expire`, {});
  const link = await createLink({ replaces: old.reference });
  await page.goto(`${old.payment_link}?lang=ha`);
  await page.getByRole("link", { name: "Buɗe sabon link" }).click();
  await expect(page).toHaveURL(`${link.payment_link}?lang=ha`);
  await expect(page.locator("html")).toHaveAttribute("lang", "ha");
  await context.close();
});
