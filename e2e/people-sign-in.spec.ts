import { expect, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { aMember, dashboard, fillIn, linkMailedTo, PASSWORD, signIn, signOut, signUp, untilAlive, untilSignedOut } from "./people.ts";

test("a stranger is sent to sign in by a redirect, and afterwards to the page they wanted", async ({ page, request }) => {
  const email = await aMember(page);
  await signOut(page);
  const answer = await request.get(dashboard("/test/security?x=1"), { maxRedirects: 0 });
  expect([answer.status(), answer.headers().location]).toEqual([307, "/sign-in?then=%2Ftest%2Fsecurity%3Fx%3D1"]);
  await page.goto(dashboard("/test/security?x=1"));
  await fillIn(page, { Email: email, Password: "wrong" });
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Email or password is wrong." })).toBeFocused();
  await fillIn(page, { Password: PASSWORD });
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL(dashboard("/test/security?x=1"));
});

test("the typed password is shown and hidden by its button, also by keyboard", async ({ page }) => {
  await page.goto(dashboard("/sign-in"));
  const password = page.getByLabel("Password", { exact: true });
  await password.fill(PASSWORD);
  const button = page.getByRole("button", { name: "Show password" });
  await expect(button).toHaveAttribute("aria-pressed", "false");
  await button.click();
  await expect(password).toHaveAttribute("type", "text");
  await expect(button).toHaveAttribute("aria-pressed", "true");
  await page.keyboard.press("Enter");
  await expect(password).toHaveAttribute("type", "password");
  await expect(password).toHaveValue(PASSWORD);
});

test("after a lost answer, and in a browser without passkeys, the page says so beside the passkey's button, which works again", async ({
  page,
}) => {
  await page.goto(dashboard("/sign-in"));
  const button = page.getByRole("button", { name: "Sign in with a passkey" });
  await page.route("**/sign-in/passkey/options", (route) => route.abort());
  await button.click();
  await expect(page.getByText("There was no answer. Check your connection, then try again.")).toBeVisible();
  await page.evaluate(() => Reflect.deleteProperty(window, "PublicKeyCredential"));
  await button.click();
  await expect(page.getByText("This browser has no passkeys. Use your password.")).toBeVisible();
});

for (const then of ["https://evil.example", "//evil.example", "/\\evil.example", "/test/../../sign-out", "javascript:alert(1)"]) {
  test(`signing in does not lead to ${then}`, async ({ page }) => {
    const email = await aMember(page);
    await signOut(page);
    await page.goto(dashboard(`/sign-in?then=${encodeURIComponent(then)}`));
    await fillIn(page, { Email: email, Password: PASSWORD });
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL(dashboard("/test"));
  });
}

test("a new password by a link in a mail signs every browser out, and works", async ({ page, browser }) => {
  const email = await aMember(page);
  const other = await (await browser.newContext()).newPage();
  await other.goto(dashboard("/sign-in"));
  await other.getByRole("link", { name: "Forgot your password?" }).click();
  await fillIn(other, { Email: email });
  await other.getByRole("button", { name: "Send the link" }).click();
  await expect(other.getByText(/^If this email has an account/)).toBeVisible();
  await other.goto(await linkMailedTo(other, email));
  const chosen = "nine baskets of dry stockfish";
  await fillIn(other, { "New password": chosen });
  await other.getByRole("button", { name: "Change password" }).click();
  await expect(other.getByText(/^Your password is changed/)).toBeVisible();
  await untilSignedOut(page);
  await signIn(other, email, chosen);
  await other.waitForURL(dashboard("/test"));
});

test("after signing out, the back button shows nothing of the dashboard", async ({ page }) => {
  await aMember(page);
  await page.goto(dashboard("/test/security"));
  await signOut(page);
  await page.goBack();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page.getByText("Where you are signed in")).toBeHidden();
});

test("signing out everywhere else ends the session of another browser within a second", async ({ page, browser }) => {
  const email = await aMember(page);
  const other = await (await browser.newContext()).newPage();
  await signIn(other, email);
  await other.waitForURL(dashboard("/test"));
  await page.goto(dashboard("/test/security"));
  await untilAlive(page);
  await page.getByRole("button", { name: "Sign out everywhere else" }).click();
  await expect(page.getByRole("button", { name: "Sign out everywhere else" })).toBeHidden();
  const endedAtMs = performance.now();
  const statusOfOther = async () => (await other.request.get(dashboard("/test"), { maxRedirects: 0 })).status();
  // The answer itself may take long: a request that is sent a second later, and none before, has to be refused.
  for (let sentAfterMs = 0; (await statusOfOther()) !== 307; sentAfterMs = performance.now() - endedAtMs) {
    expect(sentAfterMs).toBeLessThan(1_000);
  }
  expect((await page.request.get(dashboard("/test"), { maxRedirects: 0 })).status()).toBe(200);
});

test("a member of two businesses has each in a tab of its own, and a path without a business opens the last one", async ({
  page,
  context,
}) => {
  const email = await aMember(page, "First shop");
  const [second] = await sql()<{ business_id: string }[]>`
    insert into members (business_id, user_id, role)
    select ${await aBusiness("Second shop")}, u.id, 'viewer' from users u where u.email = ${email} returning business_id`;
  const [first] = await sql()<{ id: string }[]>`
    select b.id from businesses b join members m on m.business_id = b.id join users u on u.id = m.user_id
    where u.email = ${email} and b.name = 'First shop'`;
  await page.goto(dashboard(`/b/${first?.id}/test`));
  const tab = await context.newPage();
  await tab.goto(dashboard(`/b/${second?.business_id}/live`));
  await page.reload();
  await expect(page.getByRole("button", { name: /First shop/ }).first()).toBeVisible();
  await expect(page.getByText(/^Test mode: play money/).first()).toBeVisible();
  await expect(tab.getByRole("button", { name: /Second shop/ }).first()).toBeVisible();
  await expect(tab.getByText(/^Test mode: play money/)).toBeHidden();
  await tab.goto(dashboard("/test/security"));
  await tab.waitForURL(dashboard(`/b/${first?.id}/test/security`));
  const foreign = await page.request.get(dashboard(`/b/${await aBusiness("Foreign shop")}/test`), { maxRedirects: 0 });
  expect(foreign.status()).toBe(404);
});

async function aBusiness(name: string): Promise<string> {
  const { systemContext } = await import("#services/context.ts");
  const { createBusiness } = await import("#services/merchants/index.ts");
  const owner = { email: `owner-${crypto.randomUUID()}@shop.example`, name: "Owner", password: "correct horse" };
  return (await createBusiness(systemContext("seed"), { name, owner })).businessId;
}

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a person signs up, confirms, signs in, and is told that the dashboard needs JavaScript", async ({ page }) => {
    const email = await signUp(page);
    await page.goto(await linkMailedTo(page, email));
    await fillIn(page, { Password: PASSWORD });
    await page.getByRole("button", { name: "Confirm my email" }).click();
    await expect(page.locator("noscript").getByRole("status")).toBeVisible();
    await page.context().clearCookies();
    await signIn(page, email, "wrong");
    await expect(page.getByText("Email or password is wrong.")).toBeVisible();
    await signIn(page, email);
    await page.waitForURL(dashboard("/test"));
  });
});
