import { type Browser, expect, type Page, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { codeOf } from "#services/users/factors/two-factor.fixture.ts";
import { aVerifiedUser, PASSWORD } from "#services/users/users.fixture.ts";
import { expectNoAxeViolations, expectNoSidewaysScrolling } from "./browser.ts";
import { inEveryLook } from "./looks.ts";
import { codeOfPerson, proveFirstFactor, untilAlive, untilSignedOut } from "./people.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const send = (page: Page, name: string) => page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
const panel = (page: Page) => page.getByRole("region", { name: "Two-step sign-in" });
const codesShown = (page: Page) => page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem");

async function openSecurity(page: Page): Promise<string> {
  const email = await aVerifiedUser();
  await signInOn(page, email);
  return email;
}

async function signInOn(page: Page, email: string): Promise<void> {
  await page.goto(`${process.env.DASHBOARD_URL}/sign-in?then=/test/security`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(page, "Sign in").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your security");
  await untilAlive(page);
}

/** Goes on until the app's first code is asked for. Returns the secret. */
async function beginApp(page: Page): Promise<string> {
  await button(page, "Turn on").click();
  await proveFirstFactor(page);
  await expect(page.getByRole("img", { name: "QR code of the secret" })).toBeVisible();
  return ((await page.locator("code").textContent()) ?? "").replaceAll(/\s/g, "");
}

async function turnOn(page: Page): Promise<string[]> {
  const secret = await beginApp(page);
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await send(page, "Turn on");
  await expect(codesShown(page)).toHaveCount(10);
  return codesShown(page).allInnerTexts();
}

/** Makes so many of a person's ten recovery codes count as not used. */
async function leaveCodes(email: string, left: number): Promise<void> {
  await sql()`
    update recovery_codes set used_at = case when place > ${left} then now() end
    from (select hash as one, row_number() over (order by hash) as place
      from recovery_codes join users on users.id = user_id where email = ${email}) as numbered
    where hash = one`;
}

async function keepCodes(page: Page): Promise<void> {
  await page.getByLabel("I have kept these codes").check();
  await send(page, "Done");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

test("two-step sign-in is turned on and off, and the recovery codes stay until the person has kept them", async ({ page }) => {
  await openSecurity(page);
  const codes = await turnOn(page);
  await page.keyboard.press("Escape");
  await page.mouse.click(5, 400);
  await send(page, "Done");
  await expect(codesShown(page)).toHaveCount(10);
  await keepCodes(page);
  await expect(panel(page)).toContainText("10 left");
  await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeFocused();
  await button(page, "Turn off").click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByLabel("Code", { exact: true }).fill((codes[0] ?? "").toLowerCase());
  await send(page, "Turn off");
  await expect(button(page, "Turn on")).toBeVisible();
  await expect(panel(page)).not.toContainText("left");
});

test("a changed password signs the other browsers out, a weak one is said at its field, and the old one no longer signs in", async ({
  browser,
  page,
}) => {
  const email = await openSecurity(page);
  const other = await browser.newPage();
  await signInOn(other, email);
  await button(page, "Change password").click();
  await page.getByLabel("Your password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("New password").fill("password1234");
  await send(page, "Change password");
  await expect(page.getByLabel("New password")).toHaveAccessibleDescription(/easy to guess/);
  await expect(page.getByLabel("New password")).toBeFocused();
  await page.getByLabel("New password").fill("another phrase of many words");
  await send(page, "Change password");
  await expect(page.getByText("Password changed")).toBeVisible();
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Your security");
  await untilSignedOut(other);
  await other.getByLabel("Email").fill(email);
  await other.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await button(other, "Sign in").click();
  await expect(other.getByText("Email or password is wrong.")).toBeVisible();
  await other.close();
});

test("a wrong password and a wrong code are said at their fields, which have the focus", async ({ page }) => {
  await openSecurity(page);
  await button(page, "Turn on").click();
  await expect(page.getByLabel("Your password")).toBeFocused();
  await page.keyboard.type("not the password at all");
  await send(page, "Send me a code");
  await expect(page.getByLabel("Your password")).toHaveAccessibleDescription(/not your password/);
  await expect(page.getByLabel("Your password")).toBeFocused();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  const code = page.getByLabel("Code", { exact: true });
  await expect(code).toBeFocused();
  await code.fill("00000000");
  await send(page, "Continue");
  await expect(code).toHaveAccessibleDescription(/wrong, or older than 15 minutes/);
  await send(page, "Send another code");
  await expect(page.getByRole("dialog")).toContainText("A code was mailed a moment ago.");
  await code.fill(await codeOfPerson(page));
  await send(page, "Continue");
  await expect(page.getByRole("img", { name: "QR code of the secret" })).toBeVisible();
  await code.fill("000000");
  await send(page, "Turn on");
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/This code is wrong/);
  await expect(page.getByLabel("Code", { exact: true })).toBeFocused();
});

test("after a lost answer the page says that it does not know, and the same click again finds out", async ({ page }) => {
  await openSecurity(page);
  const secret = await beginApp(page);
  // The server turns codes on, and its answer does not arrive.
  await page.route("**/totp/confirm", async (route) => {
    await route.fetch();
    await route.abort();
  });
  await page.getByLabel("Code", { exact: true }).fill(codeOf(secret));
  await send(page, "Turn on");
  await expect(page.getByRole("alert").filter({ hasText: "we do not know whether this was done" })).toBeFocused();
  await page.unroute("**/totp/confirm");
  await send(page, "Turn on");
  await expect(page.getByRole("dialog")).toContainText("Two-step sign-in is on.");
  await expect(page.getByRole("dialog")).toContainText("did not reach this page");
  await send(page, "Done");
  await expect(panel(page)).toContainText("10 left");
});

test("from three recovery codes down the page says that new ones are due, and one of them makes ten others", async ({ page }) => {
  const email = await openSecurity(page);
  const [one = ""] = await turnOn(page);
  await keepCodes(page);
  await leaveCodes(email, 4);
  await page.reload();
  await expect(panel(page)).toContainText("4 left");
  await expect(panel(page)).not.toContainText("Only a few are left");
  await leaveCodes(email, 3);
  await page.reload();
  await expect(panel(page)).toContainText("3 left");
  await expect(panel(page)).toContainText("Only a few are left");
  await leaveCodes(email, 10);
  await button(page, "Make new codes").click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByLabel("Code", { exact: true }).fill(one);
  await send(page, "Make new codes");
  await expect(codesShown(page)).toHaveCount(10);
  expect(await codesShown(page).allInnerTexts()).not.toContain(one);
});

test("the panels pass axe and fit at 360 and 1440 pixels, light and dark", async ({ browser }) => {
  await inEveryLook(browser, async (page) => {
    await page.emulateMedia({ reducedMotion: "reduce" });
    await openSecurity(page);
    await lookAt(page);
    await beginApp(page);
    await lookAt(page);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(button(page, "Turn on")).toBeFocused();
  });
});

async function lookAt(page: Page): Promise<void> {
  await expectNoAxeViolations(page);
  await expectNoSidewaysScrolling(page);
}

test("a browser without passkeys, and one without JavaScript, is told so", async ({ browser, page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await openSecurity(page);
  await expect(page.getByText("This browser cannot make passkeys here.")).toBeVisible();
  await expect(button(page, "Add passkey")).toHaveCount(0);
  const plain = await withoutScript(browser, page);
  const said = plain.locator("noscript").getByRole("status");
  await expect(said).toHaveText(/The dashboard needs JavaScript. Turn it on, then reload this page.$/);
  await expect(said).toBeVisible();
});

async function withoutScript(browser: Browser, page: Page): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, storageState: await page.context().storageState() });
  const plain = await context.newPage();
  await plain.goto(page.url());
  return plain;
}
