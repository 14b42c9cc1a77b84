import { expect, test } from "@playwright/test";
import { sql } from "#db/client.ts";
import { aMember, anEmail, dashboard, fillIn, linkMailedTo, openMailbox, PASSWORD, signIn, signUp } from "./people.ts";

test("a person signs up, confirms the email by the mail and the password, and is at home in test mode", async ({ page }) => {
  const email = await signUp(page);
  await page.goto(await linkMailedTo(page, email));
  await fillIn(page, { Password: PASSWORD });
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await page.waitForURL(dashboard("/test"));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(/^Good (morning|afternoon|evening), Ada$/);
  await expect(page.getByText(/^Test mode: play money/).first()).toBeVisible();
});

test("a link in a mail that a scanner has opened and read still works for the person", async ({ page, request }) => {
  const email = await signUp(page);
  const link = await linkMailedTo(page, email);
  for (const method of ["GET", "HEAD", "GET"]) expect((await request.fetch(link, { method })).status()).toBe(200);
  await page.goto(link);
  await fillIn(page, { Password: PASSWORD });
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await page.waitForURL(dashboard("/test"));
});

test("a stranger who signs up with another person's email is not confirmed by that person's click", async ({ page }) => {
  const email = await signUp(page);
  await page.goto(await linkMailedTo(page, email));
  await fillIn(page, { Password: "the password of the owner of the mail" });
  await page.getByRole("button", { name: "Confirm my email" }).click();
  await expect(page.getByText(/^This is not the password of this account/)).toBeVisible();
  await signIn(page, email);
  await expect(page.getByRole("heading", { name: "Check your mail" })).toBeVisible();
});

test("a taken email gets the same answer as a new one, and its owner a mail", async ({ page, browser }) => {
  const email = await aMember(page);
  const stranger = await (await browser.newContext()).newPage();
  await signUp(stranger, email, "Another shop");
  await openMailbox(stranger);
  await expect(
    stranger
      .getByRole("listitem")
      .filter({ hasText: `To ${email}` })
      .first(),
  ).toContainText("You already have an Oja account");
});

test("a sign-up that is refused keeps what was typed but the password, and says what is wrong at its field", async ({ page }) => {
  await page.goto(dashboard("/sign-up"));
  const email = anEmail();
  await sql()`delete from sign_in_failures`;
  await fillIn(page, { "Your name": "Ada Obi", Business: "Ada's Kitchen", Email: email, Password: "password1234" });
  await page.getByRole("button", { name: "Create account" }).click();
  const password = page.getByLabel("Password", { exact: true });
  await expect(password).toHaveAccessibleDescription(/easy to guess/);
  await expect(password).toBeFocused();
  await expect(password).toHaveValue("");
  await expect(page.getByLabel("Email", { exact: true })).toHaveValue(email);
  await expect(page.getByLabel("Business", { exact: true })).toHaveValue("Ada's Kitchen");
});
