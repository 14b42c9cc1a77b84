import { expect, type Page, test } from "@playwright/test";
import { heading, openLink, simulate } from "./browser.ts";
import { api } from "./merchant.ts";

const LANGUAGES = ["en", "pcm", "ha", "yo", "ig"] as const;

/** The bar of test mode may add its own height. */
const barOf = (page: Page) => page.getByRole("complementary", { name: "Test mode" }).evaluate((bar) => bar.getBoundingClientRect().height);

for (const language of LANGUAGES) {
  test(`${language}: amount, account number, deadline and the main button are seen at once on the smallest phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    const { payment_link } = await openLink(page, { amount: 1_250_000.5, description: "Two bags of rice and a carton of tomatoes" });
    await page.goto(`${payment_link}?lang=${language}`);
    const fold = 640 + (await barOf(page));
    const parts = {
      amount: heading(page),
      account: page.locator("#account"),
      deadline: page.locator("#timer"),
      button: page.locator("#send button"),
    };
    for (const [name, part] of Object.entries(parts)) {
      const box = await part.boundingBox();
      expect((box?.y ?? Number.NaN) + (box?.height ?? 0), `${language}: ${name}`).toBeLessThanOrEqual(fold);
    }
  });
}

for (const width of [360, 1_440]) {
  test(`at ${width} px nothing moves sideways between states`, async ({ page }) => {
    await page.setViewportSize({ width, height: 740 });
    const places: unknown[] = [];
    const note = async (state: RegExp) => {
      await expect(heading(page)).toHaveText(state);
      for (const part of ["header", "section:not([hidden])", "footer"]) {
        const box = await page.locator(part).first().boundingBox();
        places.push({ x: box?.x, width: box?.width });
      }
    };
    const link = await openLink(page);
    await note(/^Pay/);
    await page.getByRole("button", { name: "I’ve sent the money" }).click();
    await note(/^Checking/);
    await api(`/test/checkout/${link.reference}/transfer`, {});
    await note(/has received your/);
    await openLink(page);
    await simulate(page, "Time over");
    await note(/expired/);
    expect(new Set(places.map((place) => JSON.stringify(place))).size).toBe(1);
  });
}

test("the bar of test mode stays open over its buttons until it is closed", async ({ page }) => {
  await openLink(page);
  await simulate(page, "4 minutes left");
  const panel = page.locator("#panel");
  await expect(panel).toHaveAttribute("open");
  await simulate(page, "Too little");
  await expect(page.getByRole("heading", { name: /₦4,900\.00 came/ })).toBeVisible();
  await expect(panel).toHaveAttribute("open");
  await page.getByText("Simulate", { exact: true }).click();
  await expect(page).not.toHaveURL(/panel/);
  await page.reload();
  await expect(panel).not.toHaveAttribute("open");
});

test("the timer turns amber and then red as the deadline comes closer, each time with its own words", async ({ page }) => {
  await page.clock.install();
  const link = await openLink(page);
  await page.route(`**/pay/${link.reference}/status`, (route) => route.abort());
  const colour = () => page.locator("#timer").evaluate((timer) => getComputedStyle(timer).color);
  const calm = await colour();
  await page.clock.fastForward("26:00");
  await expect(page.getByText("Little time is left")).toBeVisible();
  const amber = await colour();
  await page.clock.fastForward("03:10");
  await expect(page.getByText("Less than a minute is left. Do not start a transfer now.")).toBeVisible();
  expect(new Set([calm, amber, await colour()]).size).toBe(3);
});
