import { expect, type Page, test } from "@playwright/test";
import { expectNoAxeViolations, expectNoSidewaysScrolling, expectTargetsOf44Pixels, heading, openLink, simulate } from "./browser.ts";
import { inEveryLook, photograph } from "./looks.ts";

/** The pages without the dashboard's frame: how to reach each one, its heading, and its link to the next page. */
const PAGES: { name: string; open: (page: Page) => Promise<unknown>; title: string | RegExp; way: string }[] = [
  { name: "start", open: (page) => page.goto("/"), title: "Payments for Nigerian merchants", way: "Sign up" },
  { name: "unknown path", open: (page) => page.goto("/nothing/here"), title: "There is no such page", way: "Go to the start" },
  { name: "pay without a reference", open: (page) => page.goto("/pay"), title: "We cannot find this payment", way: "Oja" },
  { name: "unknown link", open: (page) => page.goto("/pay/00000000000000000000000000"), title: "We cannot find this payment", way: "Oja" },
  {
    name: "sandbox bank",
    async open(page) {
      await openLink(page);
      await simulate(page, "Pay at the sandbox bank");
    },
    title: "Transfer to Ada's Kitchen",
    way: "Back to the payment page",
  },
  {
    name: "sandbox bank, unknown account",
    open: (page) => page.goto("/sandbox/bank/checkout/nobody"),
    title: "There is no such account",
    way: "Go to the start",
  },
];

test.use({ baseURL: process.env.BASE_URL ?? "" });

for (const { name, open, title, way } of PAGES) {
  test(`${name}: has a language, a main part and a way on, and looks well in every look`, async ({ browser }) => {
    await inEveryLook(browser, async (page, look) => {
      await open(page);
      await expect(heading(page)).toHaveText(title);
      await expect(page.locator("html")).toHaveAttribute("lang", "en");
      await expect(page.getByRole("main")).toHaveCount(1);
      await expect(page.getByRole("link", { name: way, exact: true }).first()).toBeVisible();
      await expectNoSidewaysScrolling(page);
      await expectTargetsOf44Pixels(page);
      await expectNoAxeViolations(page);
      await photograph(page, `plain-${name}-${look}`);
    });
  });
}

test("the start says what Oja is on one screen of a phone, with three ways on", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  for (const [way, path] of [
    ["Sign up", /^http.*\/sign-up$/],
    ["Sign in", /^http.*\/sign-in$/],
    ["The API document", /^\/api\/v1\/openapi\.json$/],
  ] as const) {
    const link = page.getByRole("link", { name: way });
    await expect(link).toHaveAttribute("href", path);
    const box = await link.boundingBox();
    expect((box?.y ?? Number.NaN) + (box?.height ?? 0), way).toBeLessThanOrEqual(740);
  }
});
