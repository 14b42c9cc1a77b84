import { expect, test } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling, heading, openLink, simulate } from "./browser.ts";
import { api } from "./merchant.ts";

const LANGUAGES = {
  pcm: { name: "Pidgin", awaiting: "I don send the money", expired: "Time for this payment don finish", paid: "You don pay" },
  ha: { name: "Hausa", awaiting: "Na tura kuɗin", expired: "Lokacin wannan biyan ya ƙare", paid: "An biya" },
  yo: { name: "Yorùbá", awaiting: "Mo ti fi owó náà ránṣẹ́", expired: "Àkókò ìsanwó yìí ti tán", paid: "A ti sanwó" },
  ig: { name: "Igbo", awaiting: "M zigara ego ahụ", expired: "Oge ịkwụ ụgwọ a agwụla", paid: "Akwụọla ụgwọ" },
} as const;

for (const [tag, words] of Object.entries(LANGUAGES)) {
  test(`${words.name} is chosen by the switch, stays through every state, and fits a screen of 360 px`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 720 });
    const link = await openLink(page, { description: "Jollof for two" });
    const languages = page.locator("header summary");
    await languages.click();
    await page.getByRole("link", { name: words.name }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expect(languages).toContainText(words.name);
    await languages.click();
    await expect(page.getByRole("link", { name: words.name })).toHaveAttribute("aria-current", "true");
    await expectNoSidewaysScrolling(page);
    await expectNoAxeViolations(page);
    await page.getByRole("button", { name: words.awaiting }).click();
    await page.reload();
    await expect(page.locator("#sent")).toBeVisible();
    await api(`/test/checkout/${link.reference}/transfer`, {});
    await expect(page.getByText(words.paid).first()).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", tag);
    await expectNoSidewaysScrolling(page);
    const other = await openLink(page);
    await page.goto(`${other.payment_link}?lang=${tag}`);
    await simulate(page, "Time over");
    await expect(heading(page)).toHaveText(words.expired);
    await expectNoSidewaysScrolling(page);
  });
}

test("the page opens in the phone's language, without a choice and without a cookie", async ({ browser }) => {
  const context = await browser.newContext({ locale: "ig-NG" });
  const page = await context.newPage();
  await openLink(page);
  await expect(page.locator("html")).toHaveAttribute("lang", "ig");
  expect(await context.cookies()).toEqual([]);
  await context.close();
});

test("the keyboard reaches every control and presses it, and the focus is always visible", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openLink(page);
  const reached: string[] = [];
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const { outlineStyle, outlineWidth } = getComputedStyle(element);
      return { text: element.textContent?.trim() ?? "", outline: `${outlineStyle} ${outlineWidth}` };
    });
    if (!focused) break;
    expect(focused.outline, focused.text).toBe("solid 3px");
    reached.push(focused.text);
    if (focused.text.startsWith("Copy") && focused.text.includes("Account")) {
      await page.keyboard.press("Enter");
      await expect(page.getByRole("status")).toHaveText("Copied Account number");
      expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{10}$/);
    }
    if (focused.text === "I’ve sent the money") {
      await page.keyboard.press("Space");
      break;
    }
  }
  expect(reached).toEqual([
    "Test mode: no real money moves. Simulate",
    "Language: English▾",
    "Copy Account number",
    "Copy Amount",
    "I’ve sent the money",
  ]);
  await expect(page.locator("#sent")).toBeFocused();
});

test("text of twice the size neither scrolls sideways nor is cut off", async ({ page }) => {
  // A zoom of 200% turns a window of 1280 px into one of 640 px. Text of 200% on a phone is the harder case.
  await page.setViewportSize({ width: 360, height: 720 });
  await openLink(page, { amount: 10_000_000, description: "A".repeat(200) });
  await page.evaluate(() => document.documentElement.style.setProperty("font-size", "200%"));
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe("32px");
  await expectNoSidewaysScrolling(page);
  await expect(page.getByRole("button", { name: "Copy Account number" })).toBeVisible();
  await page.setViewportSize({ width: 640, height: 400 });
  await expectNoSidewaysScrolling(page);
});

test("reduced motion stops every animation, and forced colours keep the border of the way back", async ({ browser }) => {
  const calm = await browser.newContext({ reducedMotion: "reduce" });
  const page = await calm.newPage();
  await openLink(page);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  await calm.close();
  const forced = await browser.newContext({ forcedColors: "active" });
  const other = await forced.newPage();
  await openLink(other, { callback_url: "https://shop.example" });
  await simulate(other, "Exact amount");
  await expect(heading(other)).toHaveText(/has received your/);
  const edge = await other.locator("#return").evaluate((element) => getComputedStyle(element).borderTopWidth);
  expect(edge).toBe("1px");
  await expectNoAxeViolations(other);
  await forced.close();
});

test("by default the page shows motion while we check, so that the test of reduced motion can fail", async ({ page }) => {
  await openLink(page);
  await page.getByRole("button", { name: "I’ve sent the money" }).click();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(1);
});
