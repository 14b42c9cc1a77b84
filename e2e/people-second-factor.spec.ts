import { expect, type Page, test } from "@playwright/test";
import { addPasskey, aPasskeyDevice } from "./passkeys.ts";
import { aMember, dashboard, fillIn, PASSWORD, signIn, signOut, turnOnCodes, untilAlive } from "./people.ts";

test("after the password comes a code, and a code works once", async ({ page, browser }) => {
  const email = await aMember(page);
  const app = await turnOnCodes(page);
  await signOut(page);
  await signIn(page, email);
  await expect(page.getByRole("heading", { name: "One more step" })).toBeVisible();
  await fillIn(page, { Code: "000000" });
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/This code is wrong/);
  const code = app.code();
  await fillIn(page, { Code: code });
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(dashboard("/test"));
  const other = await (await browser.newContext()).newPage();
  await signIn(other, email);
  await fillIn(other, { Code: code });
  await other.getByRole("button", { name: "Sign in" }).click();
  await expect(other.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/used already/);
  expect((await other.request.get(dashboard("/test"), { maxRedirects: 0 })).status()).toBe(307);
});

test("a recovery code that two browsers send at once signs in one of them", async ({ page, browser }) => {
  const email = await aMember(page);
  const { recoveryCodes } = await turnOnCodes(page);
  const pages = await Promise.all([1, 2].map(async () => (await browser.newContext()).newPage()));
  for (const each of pages) {
    await signIn(each, email);
    await each.getByRole("link", { name: "Use a recovery code" }).click();
    await fillIn(each, { "Recovery code": recoveryCodes[0] ?? "" });
  }
  await Promise.all(pages.map((each) => each.getByRole("button", { name: "Sign in" }).click()));
  const isIn = (each: Page) => each.getByRole("heading", { name: /^Good / }).isVisible();
  const isRefused = (each: Page) => each.getByText(/This code is wrong/).isVisible();
  await expect(async () => {
    const [entered, refused] = await Promise.all([Promise.all(pages.map(isIn)), Promise.all(pages.map(isRefused))]);
    expect(entered.filter(Boolean)).toHaveLength(1);
    expect(refused.filter(Boolean)).toHaveLength(1);
  }).toPass({ timeout: 15_000 });
});

test("a passkey signs in without the password, and as the second step after it", async ({ page }) => {
  await aPasskeyDevice(page);
  const email = await aMember(page);
  await addPasskey(page);
  await signOut(page);
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await page.waitForURL(dashboard("/test"));
  await signOut(page);
  await signIn(page, email);
  await page.getByRole("button", { name: "Use a passkey" }).click();
  await page.waitForURL(dashboard("/test"));
});

test("while an authenticator app is on, a new passkey needs a code beside the password", async ({ page }) => {
  await aPasskeyDevice(page);
  await aMember(page);
  const { recoveryCodes } = await turnOnCodes(page);
  await page.goto(dashboard("/test/security"));
  await untilAlive(page);
  await page.getByRole("button", { name: "Add passkey" }).click();
  const sheet = page.getByRole("dialog");
  await fillIn(page, { "Your password": PASSWORD, Code: "000000" });
  await sheet.getByRole("button", { name: "Continue" }).click();
  await expect(sheet.getByLabel("Code", { exact: true })).toHaveAccessibleDescription(/This code is wrong/);
  await fillIn(page, { Code: recoveryCodes[0] ?? "" });
  await sheet.getByRole("button", { name: "Continue" }).click();
  await sheet.getByRole("button", { name: "Add passkey" }).click();
  await expect(page.getByText("Passkey added")).toBeVisible();
  await expect(page.getByText("Added just now")).toBeVisible();
});
