import { expect, type Page, test } from "@playwright/test";
import { tabTo } from "./keyboard.ts";
import { expectGoodLook, inEveryWidth } from "./looks.ts";
import { aMember, dashboard, enter, fillIn, linkMailedTo, openMailbox, PASSWORD, signUp } from "./people.ts";

const STRANGERS_PAGES = [
  "/sign-in",
  "/sign-up",
  "/verify",
  "/reset",
  "/verify?token=x",
  "/reset?token=x",
  "/not-me?token=x",
  "/not-our-account?token=x",
  "/refund-account?token=x",
  "/remove-second-step?token=x",
];
const MEMBERS_PAGES = ["/test", "/live", "/test/security"];

/** Opens pages, and fails for a console message, for content that jumps, for text that does not fit, and for what axe finds. */
async function expectGoodPages(page: Page, paths: string[], look: string): Promise<void> {
  for (const path of paths) {
    await page.goto(dashboard(path), { waitUntil: "networkidle" });
    await expect(page.getByRole("heading", { level: 1 })).not.toHaveText("There is no such page");
    await expectGoodLook(page, `${path.replace(/[?].*/, "")} ${look}`);
  }
}

test("the pages for strangers fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
}) => {
  const stranger = await browser.newPage();
  const link = await linkMailedTo(stranger, await signUp(stranger));
  const member = await aMember(stranger);
  await stranger.goto(dashboard("/reset"));
  await fillIn(stranger, { Email: member });
  await stranger.getByRole("button", { name: "Send the link" }).click();
  await expect(stranger.getByText(/^If this email has an account/)).toBeVisible();
  const links = [link, await linkMailedTo(stranger, member)].map((url) => url.replace(dashboard(), ""));
  await inEveryWidth(browser, async (page, look) => {
    await openMailbox(page);
    await expectGoodPages(page, [...STRANGERS_PAGES, ...links, "/mailbox"], look);
  });
});

test("the pages of a member fit a phone and a desktop, in both themes and with large text, and axe finds nothing", async ({
  browser,
  page,
}) => {
  const email = await aMember(page, `${"Ngozi's very long and winding name of a business ".repeat(2)}`.slice(0, 80));
  await inEveryWidth(browser, async (look, name) => {
    await enter(look, email);
    await expectGoodPages(look, MEMBERS_PAGES, name);
  });
});

test("a person signs in and out by the keyboard alone", async ({ page, browser }) => {
  const email = await aMember(page);
  const keyboard = await (await browser.newContext()).newPage();
  await keyboard.goto(dashboard("/sign-in"));
  await expect(keyboard.getByLabel("Email", { exact: true })).toBeFocused();
  await keyboard.keyboard.type(email);
  await tabTo(keyboard, keyboard.getByLabel("Password", { exact: true }));
  await keyboard.keyboard.type(PASSWORD);
  await keyboard.keyboard.press("Enter");
  await keyboard.waitForURL(dashboard("/test"));
  await tabTo(keyboard, keyboard.getByRole("button", { name: /^Account of/ }));
  await keyboard.keyboard.press("Enter");
  await expect(keyboard.getByRole("menuitem", { name: "Sign out" })).toBeVisible();
  await keyboard.keyboard.press("End");
  await keyboard.keyboard.press("Enter");
  await expect(keyboard.getByRole("status").filter({ hasText: "You are signed out." })).toBeFocused();
});

test("a second click on a form that is being sent sends nothing", async ({ page }) => {
  await page.goto(dashboard("/sign-in"));
  await fillIn(page, { Email: "nobody@shop.example", Password: "not the password" });
  let sent = 0;
  await page.route("**/sign-in/send", async (route) => {
    sent++;
    await new Promise((done) => setTimeout(done, 300));
    await route.continue();
  });
  // Both clicks in the page, because Playwright waits for the first one's answer.
  await page.getByRole("button", { name: "Sign in", exact: true }).evaluate(async (button: HTMLElement) => {
    button.click();
    await new Promise((done) => setTimeout(done, 50));
    button.click();
  });
  await expect(page.getByText("Email or password is wrong.")).toBeVisible();
  expect(sent).toBe(1);
});
